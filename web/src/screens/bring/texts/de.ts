export default {
  title: 'Eine Partie von anderswo',
  about:
    'Im Terminal oder auf einem anderen Server gespielt? Bring die Aufzeichnung der Partie mit, dann kannst du sie hier nachspielen und analysieren lassen. Wer den Link hat, kann sie auch sehen; nach 90 Tagen ist sie weg.',
  choose: 'Aufzeichnung auswählen',
  drop: 'oder hier ablegen',
  dropping: 'Loslassen: Sie wird geprüft.',
  checking: 'Die Aufzeichnung wird geprüft …',
  several: 'Bitte nur eine Aufzeichnung auf einmal.',
};
