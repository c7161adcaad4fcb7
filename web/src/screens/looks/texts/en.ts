export default {
  table: 'Table',
  'table.felt': 'Green felt',
  'table.wood': 'Walnut',
  'table.night': 'Starry night',
  'table.linen': 'Red linen',
} as const;
