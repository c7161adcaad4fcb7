export default {
  title: 'A match from elsewhere',
  about:
    'Played in the terminal or on another server? Bring the record of the match, and see it replayed and reviewed here. Whoever has the link can see it, too; after 90 days it is gone.',
  choose: 'Choose a record',
  drop: 'or drop it here',
  dropping: 'Let go: it will be checked.',
  checking: 'Checking the record …',
  several: 'One record at a time, please.',
};
