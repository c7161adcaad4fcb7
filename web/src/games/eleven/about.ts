import type { Language } from '$lib/i18n.svelte';
import type { About } from '../index';

const about: Record<Language, About> = {
  en: { name: '11 nimmt!', summary: 'At most ten more than the top of a pile, or the whole pile is yours.' },
  de: {
    name: '11 nimmt!',
    summary: 'Höchstens zehn mehr als die oberste Karte, sonst gehört dir der ganze Stapel.',
  },
  pl: {
    name: '11. bierze!',
    summary: 'Najwyżej o dziesięć więcej niż wierzch stosu, inaczej bierzesz cały stos.',
  },
  ru: { name: '11-ый берёт!', summary: 'Не больше чем на десять выше верхней карты, иначе вся стопка ваша.' },
};
export default about;
