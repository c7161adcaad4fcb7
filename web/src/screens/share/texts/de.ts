export default {
  'share.title': 'Ergebnis teilen',
  'share.text': 'Text',
  'share.picture': 'Ein Bild mit dem Ergebnis',
  'share.none': 'Das Bild ließ sich nicht laden. Den Text kannst du trotzdem teilen.',
  'share.share': 'Teilen …',
  'share.copy': 'Text kopieren',
  'share.copied': 'Kopiert.',
  'share.save': 'Bild speichern',
};
