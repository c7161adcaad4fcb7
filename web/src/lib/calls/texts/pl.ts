export default {
  turn: 'Twoja kolej',
  'turn.body': 'Teraz twoja kolej.',

  'calls.title': 'Gdy przychodzi twoja kolej',
  'calls.on': 'Wołaj mnie',
  'calls.on.hint':
    'Karta przeglądarki to pokazuje, a jej ikona dostaje kropkę. Wyłączone: w tej przeglądarce nic cię nie woła.',
  'calls.notify': 'Powiadomienie w tle',
  'calls.notify.hint': 'Gdy strona jest otwarta, ale patrzysz na coś innego.',
  'calls.blocked': 'Ta przeglądarka na to nie pozwala. Można to zmienić w jej ustawieniach tej strony.',
  'calls.push': 'Także gdy strona jest zamknięta',
  'calls.push.hint':
    'Tylko w partiach na wiele dni. Wiadomość idzie, zaszyfrowana, przez usługę producenta przeglądarki; mówi, który stół czeka, i nic więcej.',
  'calls.push.failed': 'Nie udało się połączyć z twoją przeglądarką. Może na to nie pozwala.',
  'calls.push.ios': 'Na iPhonie i iPadzie działa to, gdy nimmt jest na ekranie początkowym.',
  'calls.vibrate': 'Wibracje',
  'calls.vibrate.hint': 'Gdy strona jest otwarta.',
  'calls.quiet': 'Godziny ciszy',
  'calls.quiet.hint': 'Bez powiadomień i wibracji. To, co się wydarzy, przyjdzie potem.',
  'calls.quiet.from': 'Od',
  'calls.quiet.to': 'do',
  'calls.everywhere': 'Nie wołaj też moich innych urządzeń',
  'calls.everywhere.done': 'Żadne z twoich urządzeń nie jest już wołane.',

  'offer.text': 'Zawołać cię, gdy będzie twoja kolej?',
  'offer.days': 'Zawołać cię, gdy będzie twoja kolej, także przy zamkniętej stronie?',
  'offer.yes': 'Tak',
  'offer.later': 'Nie teraz',
  'offer.never': 'Nigdy',
  'offer.done': 'Dostaniesz znać. Reszta jest w ustawieniach.',

  'install.text': 'Miej nimmt pod ręką: jako aplikację, bez przeglądarki dookoła.',
  'install.ios': 'Miej nimmt pod ręką: stuknij na dole „Udostępnij”, potem „Do ekranu początkowego”.',
  'install.yes': 'Zainstaluj',
  'install.no': 'Nie pokazuj więcej',

  'offline.rules': 'Do tego czasu możesz czytać zasady:',
  'offline.lessons': 'Lekcje, które już kiedyś były otwarte, można powtarzać.',
  'offline.decisions': 'Wybrane karty czekają i zostaną zagrane, gdy połączenie wróci.',
} as const;
