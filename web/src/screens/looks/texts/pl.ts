export default {
  table: 'Stół',
  'table.felt': 'Zielone sukno',
  'table.wood': 'Orzech',
  'table.night': 'Gwiaździsta noc',
  'table.linen': 'Czerwony len',
} as const;
