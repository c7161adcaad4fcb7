/** Texts of the coach at practice tables. */
export default {
  coach: 'Coach',
  hint: 'Hint',
  why: 'Why?',
  takeBack: 'Take back',
  thinking: 'The coach is thinking …',
  idle: 'Hints: {hints} · taken back: {backs}',
  best: 'Best: {what}. Takes cards: {risk}.',
  only: 'Only {what} is possible. Takes cards: {risk}.',
  title: 'What the coach says',
  'said.best': 'The coach: best',
  'said.cost': 'The coach: {cost} points compared with the best, takes cards: {risk}',
  'said.close': 'The coach: {cost} points, hardly worse than the best, takes cards: {risk}',
  'row.best': 'best',
  'row.close': 'hardly worse',
  points: '{cost} ± {error} points',
  risk: 'takes cards: {risk}',
  about:
    'Points compared with the best, on average over {worlds} ways in which the cards you cannot see may lie. The coach knows no more than you do.',
  exact: 'Counted exactly: whatever the others hold, it ends the same.',
};
