import type { Language } from '$lib/i18n.svelte';
import type { About } from '../index';

const about: Record<Language, About> = {
  en: {
    name: '6 nimmt!',
    summary: 'Four rows, ten cards each: whoever plays a row’s sixth card takes the row and its bulls.',
  },
  de: {
    name: '6 nimmt!',
    summary:
      'Vier Reihen, zehn Karten für jeden: Wer die sechste Karte einer Reihe legt, nimmt sie mit allen Hornochsen.',
  },
  pl: {
    name: '6. bierze!',
    summary: 'Cztery rzędy, po dziesięć kart: kto dokłada szóstą kartę do rzędu, zabiera go razem z bykami.',
  },
  ru: {
    name: '6-ой берёт!',
    summary: 'Четыре ряда, по десять карт: чья карта ложится в ряд шестой, тот забирает ряд со всеми быками.',
  },
};
export default about;
