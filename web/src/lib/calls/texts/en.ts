export default {
  turn: 'Your turn',
  'turn.body': 'It is your turn.',

  'calls.title': 'When it is your turn',
  'calls.on': 'Call me',
  'calls.on.hint': 'The tab says so, and its icon gets a dot. Off: nothing calls you, in this browser.',
  'calls.notify': 'Notification in the background',
  'calls.notify.hint': 'While the page is open but you are looking at something else.',
  'calls.blocked':
    'This browser does not allow it. You can change that where it keeps the settings of this page.',
  'calls.push': 'Also when the page is closed',
  'calls.push.hint':
    'In matches over days only. The message goes, encrypted, through the service of your browser’s maker; it says which table waits, nothing else.',
  'calls.push.failed': 'Your browser could not be reached. Perhaps it does not allow this.',
  'calls.push.ios': 'On iPhone and iPad this works once nimmt is on the home screen.',
  'calls.vibrate': 'Vibrate',
  'calls.vibrate.hint': 'While the page is open.',
  'calls.quiet': 'Quiet hours',
  'calls.quiet.hint': 'No notification and no vibration. What came up meanwhile comes afterwards.',
  'calls.quiet.from': 'From',
  'calls.quiet.to': 'to',
  'calls.everywhere': 'Stop calling my other devices, too',
  'calls.everywhere.done': 'None of your devices is called any more.',

  'offer.text': 'Call you when it is your turn?',
  'offer.days': 'Call you when it is your turn, also when this page is closed?',
  'offer.yes': 'Yes',
  'offer.later': 'Not now',
  'offer.never': 'Never',
  'offer.done': 'You will be told. The settings have the rest.',

  'install.text': 'Keep nimmt at hand: as an app, without a browser around it.',
  'install.ios': 'Keep nimmt at hand: tap “Share” below, then “Add to Home Screen”.',
  'install.yes': 'Install',
  'install.no': 'Don’t show this again',

  'offline.rules': 'Until then you can read the rules:',
  'offline.lessons': 'Lessons that you have opened before can be repeated.',
  'offline.decisions': 'Cards that you have chosen wait, and are played when there is a connection again.',
} as const;
