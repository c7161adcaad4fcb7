export default {
  table: 'Tisch',
  'table.felt': 'Grüner Filz',
  'table.wood': 'Nussbaum',
  'table.night': 'Sternennacht',
  'table.linen': 'Rotes Leinen',
} as const;
