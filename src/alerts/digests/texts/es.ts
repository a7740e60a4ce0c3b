import type { Texts } from './texts.ts';

const quoted = (text: string) => `«${text}»`;

export const es: Texts = {
  language: 'es',
  quoted,
  where: (columns, isTable) => {
    const [one, several] = isTable ? ['en la columna', 'en las columnas'] : ['en el campo', 'en los campos'];
    if (columns.length === 0) return '';
    return ` ${columns.length === 1 ? one : several} ${columns.map(quoted).join(', ')}`;
  },
  someValue: 'Un valor',
  mistakes: {
    date: (value, where) => `${value}${where} no es una fecha ni una hora válida.`,
    missing: (_, where) => `Falta un valor${where}.`,
    key: (_, where) => `Falta lo que distingue este elemento de los demás${where}.`,
    duplicate: (value, where) => `${value}${where} aparece varias veces, pero los elementos son distintos.`,
    lookup: (value, where) => `${value}${where} no es uno de los valores que conocemos.`,
    malformed: () => 'Esta parte de la fuente no se puede leer.',
    email: (value, where) => `${value}${where} no es una dirección de correo electrónico.`,
    web: (value, where) => `${value}${where} no es una dirección web.`,
    yesNo: (value, where) => `${value}${where} no significa ni sí ni no.`,
    value: (value, where) => `${value}${where} no se puede publicar así.`,
    noDay: (value, where) => `${value}${where} es un día que los programas escriben cuando no hay ninguno.`,
    alt: (_, where) => `La imagen${where} no tiene descripción.`,
    short: (value, where, limit) => `${value}${where} tiene menos de ${limit} caracteres.`,
    long: (value, where, limit) => `${value}${where} tiene más de ${limit} caracteres.`,
    narrow: (_, where, limit) => `La imagen${where} tiene menos de ${limit} píxeles de ancho.`,
  },
  fixes: {
    date: (_, example) =>
      `Corrija el valor y escríbalo como ${example ? `aquí: ${example}.` : 'en los demás elementos.'}`,
    missing: 'Añádalo.',
    key: 'Dé a este elemento un número o un nombre propio.',
    duplicate: 'Dé a cada elemento un número o un nombre propio, o elimine los que sobran.',
    lookup: 'Compruebe la ortografía. Si el valor es correcto, díganoslo para que lo añadamos.',
    malformed: 'Compruebe si aquí falta o sobra una comilla, un separador o un paréntesis.',
    email: 'Corrija la dirección; debe parecerse a nombre@example.org.',
    web: 'Corrija la dirección; debe parecerse a https://www.example.org/pagina.',
    yesNo: 'Escriba sí o no.',
    value: 'Corrija el valor. Si es correcto, díganoslo.',
    noDay: 'Escriba el día correcto.',
    alt: (where) => `Escriba una${where}.`,
    short: 'Escriba un texto más largo.',
    long: 'Acorte el valor.',
    narrow: 'Use una imagen más grande.',
  },
  files: {
    unreadable: (where) =>
      `El archivo${where} no se puede leer. Compruebe si su nombre o su dirección es correcto y si todavía existe.`,
    type: (where) => `El archivo${where} no es una imagen ni un PDF. Use uno de estos tipos.`,
    large: (where) => `El archivo${where} es demasiado grande. Use uno más pequeño.`,
    outside: (where) =>
      `El archivo${where} está en una carpeta que no podemos leer. Póngalo en la carpeta de la fuente.`,
  },
  feeds: {
    missing: 'El archivo ya no está en su lugar. Vuelva a ponerlo allí, o díganos dónde está ahora.',
    refused:
      'Su servidor no nos la entrega. Abra la dirección de la fuente en una ventana privada de un navegador: debería ver la fuente y no un error. Si la fuente ha cambiado de dirección, indíquenos la nueva.',
    silent:
      'Su servidor no responde a tiempo. Abra la dirección de la fuente en un navegador para ver si allí funciona.',
    format:
      'Lo que recibimos no es la fuente, o está dañada. Abra su dirección en una ventana privada de un navegador: debería ver la fuente misma, y no una página para leer o para iniciar sesión.',
    columns: 'Faltan columnas que necesitamos. Dé a las columnas los mismos nombres que antes.',
    large: 'Se ha vuelto mucho más grande de lo permitido. Compruebe su contenido. Si todo es correcto, díganoslo.',
    letters: 'Sus letras no se pueden descifrar. Guarde el archivo en UTF-8.',
    part: 'Termina demasiado pronto. Guárdela de nuevo, o revise el programa que la escribe.',
  },
  places: { line: 'línea', row: 'fila', entry: 'elemento', page: 'página', event: 'evento' },
  subjects: {
    unread: (feed) => `No podemos leer su fuente de datos ${feed}`,
    empty: (feed) => `Su fuente de datos ${feed} no tiene elementos`,
    rejected: (feed, count, isOne) =>
      isOne
        ? `Un elemento de su fuente de datos ${feed} no se puede publicar`
        : `${count} elementos de su fuente de datos ${feed} no se pueden publicar`,
    cancelled: (feed) => `Eventos cancelados de su fuente de datos ${feed} siguen en el sitio web`,
    files: (feed) => `Imágenes de su fuente de datos ${feed} no se pueden usar`,
    over: (feed) => `Su fuente de datos ${feed} no tiene próximos eventos`,
    well: (feed) => `Su fuente de datos ${feed} vuelve a estar en orden`,
    test: (feed) => `Mensaje de prueba sobre su fuente de datos ${feed}`,
  },
  hello: (name) => (name ? `Hola, ${name}:` : 'Hola:'),
  read: (feed, time) => `Leímos su fuente de datos ${feed} por última vez el ${time}.`,
  heads: {
    unread: 'La fuente no se puede leer',
    empty: 'Sin elementos',
    rejected: 'Elementos que no se pueden publicar',
    cancelled: 'Cancelados, pero todavía en el sitio web',
    files: 'Imágenes y archivos que no se pueden usar',
    over: 'Sin próximos eventos',
  },
  unread: (since, isPartly) =>
    `No podemos leer la fuente completa desde el ${since}. ${isPartly ? 'Lo que pudimos leer está publicado; no se quita nada.' : 'Mientras tanto, el sitio web muestra lo que mostraba entonces.'}`,
  empty:
    'Su fuente de datos no tiene elementos. Los anteriores no desaparecen por sí solos del sitio web. Compruebe si la fuente se escribe correctamente.',
  over: (day) =>
    `El último evento de su fuente de datos fue el ${day}. Compruebe si la fuente todavía se mantiene al día.`,
  rejected: (count, all, isOne) =>
    isOne
      ? `${count} de ${all} elementos falta en el sitio web, o aparece como antes.`
      : `${count} de ${all} elementos faltan en el sitio web, o aparecen como antes.`,
  news: (count) => `Nuevo desde nuestro último mensaje: ${count}.`,
  waiting: (count) => `Elementos nuevos que la redacción del sitio web todavía tiene que revisar: ${count}.`,
  cancelled:
    'En su fuente de datos, estos elementos están cancelados o son privados. Si deben desaparecer del sitio web, díganoslo.',
  filesMissing: 'El sitio web muestra estos elementos sin el archivo, o con uno anterior.',
  more: (count) => `… y ${count} más`,
  attached: 'La tabla adjunta los contiene con sus valores. Se abre con cualquier hoja de cálculo.',
  closing: 'Lo que corrija en la fuente se publica automáticamente.',
  link: (until) => `Esta página muestra lo que está mal en este momento. El enlace funciona hasta el ${until}:`,
  signed:
    'Este mensaje lo ha escrito un programa; su respuesta la leerán personas. El programa volverá a escribir si hay un problema nuevo y cuando todo esté en orden.',
  well: 'Todo aquello sobre lo que le escribimos está en orden. No queda nada por hacer.',
  nothing: 'Su fuente de datos está en orden.',
  unsettled:
    'Su fuente de datos no está publicada por completo en este momento. Los responsables del sitio web se ocupan de ello.',
  page: (feed) => `Su fuente de datos ${feed}`,
  test: 'Esto es solo una prueba: todo está en orden. Si hay un problema con su fuente de datos, llegará un mensaje a esta dirección.',
  table: { name: 'elementos', place: 'Lugar', entry: 'Elemento', mistake: 'Qué está mal', fix: 'Qué hacer' },
};
