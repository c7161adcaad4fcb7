import type { Language } from '$lib/i18n.svelte';
import type { About } from '../index';

const about: Record<Language, About> = {
  en: {
    like: 'Everybody plays at once, and some row is always about to burst.',
    name: '6 nimmt!',
    summary: 'Four rows, ten cards each: whoever plays a row’s sixth card takes the row and its bulls.',
  },
  de: {
    like: 'Alle spielen gleichzeitig, und irgendeine Reihe ist immer kurz vorm Platzen.',
    name: '6 nimmt!',
    summary:
      'Vier Reihen, zehn Karten für jeden: Wer die sechste Karte einer Reihe legt, nimmt sie mit allen Hornochsen.',
  },
  pl: {
    like: 'Wszyscy grają naraz, a któryś rząd zawsze jest bliski pęknięcia.',
    name: '6. bierze!',
    summary: 'Cztery rzędy, po dziesięć kart: kto dokłada szóstą kartę do rzędu, zabiera go razem z bykami.',
  },
  ru: {
    like: 'Все ходят разом, и какой-нибудь ряд вот-вот лопнет.',
    name: '6-ой берёт!',
    summary: 'Четыре ряда, по десять карт: чья карта ложится в ряд шестой, тот забирает ряд со всеми быками.',
  },
};
export default about;
