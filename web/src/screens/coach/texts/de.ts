/** Texte des Coachs an Übungstischen. */
export default {
  coach: 'Coach',
  hint: 'Tipp',
  why: 'Warum?',
  takeBack: 'Zurücknehmen',
  thinking: 'Der Coach denkt nach …',
  idle: 'Tipps: {hints} · zurückgenommen: {backs}',
  best: 'Am besten: {what}. Nimmt Karten: {risk}.',
  only: 'Nur {what} ist möglich. Nimmt Karten: {risk}.',
  title: 'Was der Coach sagt',
  'said.best': 'Der Coach: am besten',
  'said.cost': 'Der Coach: {cost} Punkte gegenüber dem Besten, nimmt Karten: {risk}',
  'said.close': 'Der Coach: {cost} Punkte, kaum schlechter als das Beste, nimmt Karten: {risk}',
  'row.best': 'am besten',
  'row.close': 'kaum schlechter',
  points: '{cost} ± {error} Punkte',
  risk: 'nimmt Karten: {risk}',
  about:
    'Punkte gegenüber dem Besten, im Schnitt über {worlds} Möglichkeiten, wie die Karten liegen können, die du nicht siehst. Der Coach weiß nicht mehr als du.',
  exact: 'Genau gezählt: Was auch immer die anderen halten, es geht gleich aus.',
};
