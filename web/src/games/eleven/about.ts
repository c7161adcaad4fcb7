import type { Language } from '$lib/i18n.svelte';
import type { About } from '../index';

const about: Record<Language, About> = {
  en: {
    like: 'Get rid of your cards in small steps, or swallow a whole pile.',
    name: '11 nimmt!',
    summary: 'At most ten more than the top of a pile, or the whole pile is yours.',
  },
  de: {
    like: 'Werde deine Karten in kleinen Schritten los, oder schluck den ganzen Stapel.',
    name: '11 nimmt!',
    summary: 'Höchstens zehn mehr als die oberste Karte, sonst gehört dir der ganze Stapel.',
  },
  pl: {
    like: 'Pozbywaj się kart małymi krokami albo połknij cały stos.',
    name: '11. bierze!',
    summary: 'Najwyżej o dziesięć więcej niż wierzch stosu, inaczej bierzesz cały stos.',
  },
  ru: {
    like: 'Избавляйтесь от карт мелкими шагами или глотайте всю стопку.',
    name: '11-ый берёт!',
    summary: 'Не больше чем на десять выше верхней карты, иначе вся стопка ваша.',
  },
};
export default about;
