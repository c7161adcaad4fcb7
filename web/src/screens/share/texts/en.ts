export default {
  'share.title': 'Share the result',
  'share.text': 'Text',
  'share.picture': 'A picture with the result',
  'share.none': 'The picture could not be fetched. The text can still be shared.',
  'share.share': 'Share …',
  'share.copy': 'Copy text',
  'share.copied': 'Copied.',
  'share.save': 'Save picture',
};
