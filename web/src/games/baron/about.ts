import type { Language } from '$lib/i18n.svelte';
import type { About } from '../index';

const about: Record<Language, About> = {
  en: {
    name: 'Baron Oxx',
    summary: 'Colour joins colour: beware of the sixth card and of six bulls of one colour.',
  },
  de: {
    name: 'Baron Oxx',
    summary: 'Farbe zu Farbe: Hüte dich vor der sechsten Karte und vor sechs Hornochsen einer Farbe.',
  },
  pl: {
    name: 'Byczy Baron',
    summary: 'Kolor do koloru: strzeż się szóstej karty i sześciu byków w jednym kolorze.',
  },
  ru: { name: 'Барон Бык', summary: 'Цвет к цвету: берегитесь шестой карты и шести быков одного цвета.' },
};
export default about;
