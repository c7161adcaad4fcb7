export default {
  title: 'Gra z innego miejsca',
  about:
    'Grasz w terminalu albo na innym serwerze? Wczytaj zapis gry, a zobaczysz tu jej powtórkę i analizę. Zobaczy ją też każdy, kto ma link; po 90 dniach zniknie.',
  choose: 'Wybierz zapis',
  drop: 'albo upuść go tutaj',
  dropping: 'Puść: zapis zostanie sprawdzony.',
  checking: 'Sprawdzanie zapisu…',
  several: 'Naraz tylko jeden zapis.',
};
