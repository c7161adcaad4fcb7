import type { Language } from '$lib/i18n.svelte';
import type { About } from '../index';

const about: Record<Language, About> = {
  en: {
    like: 'Colours instead of numbers: sharp eyes win, and six of a colour are too many.',
    name: 'Baron Oxx',
    summary: 'Colour joins colour: beware of the sixth card and of six bulls of one colour.',
  },
  de: {
    like: 'Farben statt Zahlen: Scharfe Augen gewinnen, und sechs von einer Farbe sind zu viel.',
    name: 'Baron Oxx',
    summary: 'Farbe zu Farbe: Hüte dich vor der sechsten Karte und vor sechs Hornochsen einer Farbe.',
  },
  pl: {
    like: 'Kolory zamiast liczb: wygrywa bystre oko, a sześć w jednym kolorze to za dużo.',
    name: 'Byczy Baron',
    summary: 'Kolor do koloru: strzeż się szóstej karty i sześciu byków w jednym kolorze.',
  },
  ru: {
    like: 'Цвета вместо чисел: побеждает зоркий глаз, а шесть одного цвета уже слишком.',
    name: 'Барон Бык',
    summary: 'Цвет к цвету: берегитесь шестой карты и шести быков одного цвета.',
  },
};
export default about;
