import type { Language } from '$lib/i18n.svelte';
import type { About } from '../index';

const about: Record<Language, About> = {
  en: {
    like: 'Short rows, hard choices: what you take comes back to your hand.',
    name: 'X nimmt!',
    summary: 'Three rows of different lengths, and a row of your own that saves bulls as long as it climbs.',
  },
  de: {
    like: 'Kurze Reihen, schwere Entscheidungen: Was du nimmst, kommt zurück auf die Hand.',
    name: 'X nimmt!',
    summary: 'Drei Reihen verschiedener Länge und eine eigene, die Hornochsen rettet, solange sie steigt.',
  },
  pl: {
    like: 'Krótkie rzędy, trudne wybory: co weźmiesz, wraca ci na rękę.',
    name: 'X bierze!',
    summary: 'Trzy rzędy różnej długości i własny rząd, który ratuje przed bykami, dopóki rośnie.',
  },
  ru: {
    like: 'Короткие ряды, трудный выбор: взятое возвращается в руку.',
    name: 'X берёт!',
    summary: 'Три ряда разной длины и собственный ряд, который спасает от быков, пока растёт.',
  },
};
export default about;
