import type { Language } from '$lib/i18n.svelte';
import type { About } from '../index';

const about: Record<Language, About> = {
  en: {
    name: 'X nimmt!',
    summary: 'Three rows of different lengths, and a row of your own that saves bulls as long as it climbs.',
  },
  de: {
    name: 'X nimmt!',
    summary: 'Drei Reihen verschiedener Länge und eine eigene, die Hornochsen rettet, solange sie steigt.',
  },
  pl: {
    name: 'X bierze!',
    summary: 'Trzy rzędy różnej długości i własny rząd, który ratuje przed bykami, dopóki rośnie.',
  },
  ru: {
    name: 'X берёт!',
    summary: 'Три ряда разной длины и собственный ряд, который спасает от быков, пока растёт.',
  },
};
export default about;
