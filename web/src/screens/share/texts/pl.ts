export default {
  'share.title': 'Udostępnij wynik',
  'share.text': 'Tekst',
  'share.picture': 'Obrazek z wynikiem',
  'share.none': 'Nie udało się pobrać obrazka. Tekst nadal możesz udostępnić.',
  'share.share': 'Udostępnij…',
  'share.copy': 'Kopiuj tekst',
  'share.copied': 'Skopiowano.',
  'share.save': 'Zapisz obrazek',
};
