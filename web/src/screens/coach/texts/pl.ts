/** Teksty trenera przy stołach treningowych. */
export default {
  coach: 'Trener',
  hint: 'Podpowiedź',
  why: 'Dlaczego?',
  takeBack: 'Cofnij',
  thinking: 'Trener myśli …',
  idle: 'Podpowiedzi: {hints} · cofnięcia: {backs}',
  best: 'Najlepsze: {what}. Zabiera karty: {risk}.',
  only: 'Możliwe jest tylko: {what}. Zabiera karty: {risk}.',
  title: 'Co mówi trener',
  'said.best': 'Trener: najlepsze',
  'said.cost': 'Trener: {cost} pkt wobec najlepszego, zabiera karty: {risk}',
  'said.close': 'Trener: {cost} pkt, niewiele gorsze od najlepszego, zabiera karty: {risk}',
  'row.best': 'najlepsze',
  'row.close': 'niewiele gorsze',
  points: '{cost} ± {error} pkt',
  risk: 'zabiera karty: {risk}',
  about:
    'Punkty wobec najlepszego zagrania, średnio z {worlds} możliwych układów kart, których nie widzisz. Trener wie tyle co ty.',
  exact: 'Policzone dokładnie: niezależnie od kart innych wynik jest ten sam.',
};
