export default {
  turn: 'Du bist dran',
  'turn.body': 'Du bist am Zug.',

  'calls.title': 'Wenn du dran bist',
  'calls.on': 'Mich rufen',
  'calls.on.hint':
    'Der Tab sagt es, und sein Symbol bekommt einen Punkt. Aus: In diesem Browser ruft dich nichts.',
  'calls.notify': 'Mitteilung im Hintergrund',
  'calls.notify.hint': 'Solange die Seite offen ist, du aber etwas anderes ansiehst.',
  'calls.blocked':
    'Dieser Browser erlaubt es nicht. Ändern kannst du das in seinen Einstellungen für diese Seite.',
  'calls.push': 'Auch wenn die Seite geschlossen ist',
  'calls.push.hint':
    'Nur in Partien über Tage. Die Nachricht läuft verschlüsselt über den Dienst des Browserherstellers; sie sagt, welcher Tisch wartet, sonst nichts.',
  'calls.push.failed': 'Dein Browser ist nicht erreichbar. Vielleicht erlaubt er es nicht.',
  'calls.push.ios': 'Auf iPhone und iPad geht das, sobald nimmt auf dem Home-Bildschirm liegt.',
  'calls.vibrate': 'Vibrieren',
  'calls.vibrate.hint': 'Solange die Seite offen ist.',
  'calls.quiet': 'Ruhezeit',
  'calls.quiet.hint': 'Keine Mitteilung, kein Vibrieren. Was währenddessen anfällt, kommt danach.',
  'calls.quiet.from': 'Von',
  'calls.quiet.to': 'bis',
  'calls.everywhere': 'Auch meine anderen Geräte nicht mehr rufen',
  'calls.everywhere.done': 'Keines deiner Geräte wird mehr gerufen.',

  'offer.text': 'Dich rufen, wenn du dran bist?',
  'offer.days': 'Dich rufen, wenn du dran bist, auch wenn die Seite zu ist?',
  'offer.yes': 'Ja',
  'offer.later': 'Jetzt nicht',
  'offer.never': 'Nie',
  'offer.done': 'Du erfährst es. Alles Weitere steht in den Einstellungen.',

  'install.text': 'Behalte nimmt zur Hand: als App, ohne Browser drum herum.',
  'install.ios': 'Behalte nimmt zur Hand: Tippe unten auf „Teilen“, dann auf „Zum Home-Bildschirm“.',
  'install.yes': 'Installieren',
  'install.no': 'Nicht mehr zeigen',

  'offline.rules': 'Bis dahin kannst du die Regeln lesen:',
  'offline.lessons': 'Lektionen, die du schon einmal geöffnet hast, kannst du wiederholen.',
  'offline.decisions': 'Gewählte Karten warten und werden gespielt, sobald die Verbindung wieder steht.',
} as const;
