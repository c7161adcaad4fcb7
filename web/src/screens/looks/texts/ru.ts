export default {
  table: 'Стол',
  'table.felt': 'Зелёное сукно',
  'table.wood': 'Орех',
  'table.night': 'Звёздная ночь',
  'table.linen': 'Красный лён',
} as const;
