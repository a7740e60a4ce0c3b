import type { Texts } from './texts.ts';

const quoted = (text: string) => `«\u00a0${text}\u00a0»`;

export const fr: Texts = {
  language: 'fr',
  dated: (date) => date.replace(/^1 /, '1er '),
  quoted,
  where: (columns, isTable) => {
    const [one, several] = isTable ? ['dans la colonne', 'dans les colonnes'] : ['dans le champ', 'dans les champs'];
    if (columns.length === 0) return '';
    return ` ${columns.length === 1 ? one : several} ${columns.map(quoted).join(', ')}`;
  },
  someValue: 'Une valeur',
  mistakes: {
    date: (value, where) => `${value}${where} n’est ni une date ni une heure valable.`,
    missing: (_, where) => `Il manque une valeur${where}.`,
    key: (_, where) => `Il manque ce qui distingue cet élément des autres${where}.`,
    duplicate: (value, where) => `${value}${where} apparaît plusieurs fois, mais les éléments sont différents.`,
    lookup: (value, where) => `${value}${where} ne fait pas partie des valeurs que nous connaissons.`,
    malformed: () => 'Cette partie du flux est illisible.',
    email: (value, where) => `${value}${where} n’est pas une adresse e-mail.`,
    web: (value, where) => `${value}${where} n’est pas une adresse web.`,
    yesNo: (value, where) => `${value}${where} ne signifie ni oui ni non.`,
    value: (value, where) => `${value}${where} ne peut pas être publié sous cette forme.`,
    noDay: (value, where) => `${value}${where} est un jour que des programmes écrivent quand il n’y en a pas.`,
    alt: (_, where) => `L’image${where} n’a pas de description.`,
    short: (value, where, limit) => `${value}${where} a moins de ${limit} caractères.`,
    long: (value, where, limit) => `${value}${where} a plus de ${limit} caractères.`,
    narrow: (_, where, limit) => `L’image${where} fait moins de ${limit} pixels de large.`,
  },
  fixes: {
    date: (_, example) =>
      `Corrigez cette valeur et écrivez-la comme ${example ? `ici : ${example}.` : 'dans les autres éléments.'}`,
    missing: 'Ajoutez-la.',
    key: 'Donnez à cet élément un numéro ou un nom qui lui soit propre.',
    duplicate: 'Donnez à chaque élément un numéro ou un nom qui lui soit propre, ou supprimez les éléments en trop.',
    lookup: 'Vérifiez l’orthographe. Si la valeur est correcte, dites-le-nous pour que nous l’ajoutions.',
    malformed: 'Vérifiez s’il y a ici un guillemet, un séparateur ou une parenthèse en trop, ou s’il en manque.',
    email: 'Corrigez l’adresse : elle ressemble à nom@example.org.',
    web: 'Corrigez l’adresse : elle ressemble à https://www.example.org/page.',
    yesNo: 'Écrivez oui ou non.',
    value: 'Corrigez cette valeur. Si elle est correcte, dites-le-nous.',
    noDay: 'Écrivez le vrai jour.',
    alt: (where) => `Ajoutez-en une${where}.`,
    short: 'Écrivez un texte plus long.',
    long: 'Raccourcissez cette valeur.',
    narrow: 'Utilisez une image plus grande.',
  },
  files: {
    unreadable: (where) =>
      `Le fichier${where} est illisible. Vérifiez si son nom ou son adresse est correct, et s’il existe encore.`,
    type: (where) => `Le fichier${where} n’est ni une image ni un PDF. Utilisez l’un des deux.`,
    large: (where) => `Le fichier${where} est trop volumineux. Utilisez un fichier plus petit.`,
    outside: (where) =>
      `Le fichier${where} est dans un dossier que nous n’avons pas le droit de lire. Placez-le dans le dossier du flux.`,
  },
  feeds: {
    missing:
      'Le fichier n’est plus à sa place habituelle. Remettez-le à sa place, ou dites-nous où il se trouve maintenant.',
    refused:
      'Son serveur ne nous le donne pas. Ouvrez l’adresse du flux dans une fenêtre privée d’un navigateur : vous devriez voir le flux, et non une erreur. Si le flux a changé d’adresse, communiquez-nous la nouvelle.',
    silent:
      'Son serveur ne répond pas à temps. Ouvrez l’adresse du flux dans un navigateur pour voir si elle y fonctionne.',
    format:
      'Ce que nous recevons n’est pas le flux, ou il est endommagé. Ouvrez son adresse dans une fenêtre privée d’un navigateur : vous devriez voir le flux lui-même, et non une page à lire ou une page de connexion.',
    columns: 'Il manque des colonnes dont nous avons besoin. Donnez aux colonnes les mêmes noms qu’avant.',
    large: 'Il est devenu beaucoup plus grand que permis. Vérifiez son contenu. Si tout est correct, dites-le-nous.',
    letters: 'Ses caractères sont illisibles. Enregistrez le fichier en UTF-8.',
    part: 'Il s’arrête trop tôt. Enregistrez-le de nouveau, ou vérifiez le programme qui l’écrit.',
  },
  places: { line: 'ligne', row: 'ligne', entry: 'élément', page: 'page', event: 'événement' },
  subjects: {
    unread: (feed) => `Nous ne pouvons pas lire votre flux ${feed}`,
    empty: (feed) => `Votre flux ${feed} ne contient aucun élément`,
    rejected: (feed, count, isOne) =>
      isOne
        ? `Un élément de votre flux ${feed} ne peut pas être publié`
        : `${count} éléments de votre flux ${feed} ne peuvent pas être publiés`,
    cancelled: (feed) => `Des événements annulés de votre flux ${feed} sont encore sur le site`,
    files: (feed) => `Des images de votre flux ${feed} ne peuvent pas être utilisées`,
    over: (feed) => `Votre flux ${feed} ne contient aucun événement à venir`,
    well: (feed) => `Votre flux ${feed} est de nouveau en ordre`,
    test: (feed) => `Message de test concernant votre flux ${feed}`,
  },
  hello: (name) => (name ? `Bonjour ${name},` : 'Bonjour,'),
  read: (feed, time) => `Nous avons lu votre flux ${feed} pour la dernière fois le ${time}.`,
  heads: {
    unread: 'Le flux est illisible',
    empty: 'Aucun élément',
    rejected: 'Éléments qui ne peuvent pas être publiés',
    cancelled: 'Annulés, mais encore sur le site',
    files: 'Images et fichiers qui ne peuvent pas être utilisés',
    over: 'Aucun événement à venir',
  },
  unread: (since, isPartly) =>
    `Nous ne pouvons plus lire le flux en entier depuis le ${since}. ${isPartly ? 'Ce que nous avons pu lire est publié ; rien n’est retiré.' : 'En attendant, le site montre ce qu’il montrait alors.'}`,
  empty:
    'Votre flux ne contient aucun élément. Les anciens ne disparaissent pas d’eux-mêmes du site. Vérifiez si le flux est écrit correctement.',
  over: (day) => `Le dernier événement de votre flux a eu lieu le ${day}. Vérifiez si le flux est encore tenu à jour.`,
  rejected: (count, all, isOne) =>
    isOne
      ? `${count} élément sur ${all} manque sur le site, ou y figure comme avant.`
      : `${count} éléments sur ${all} manquent sur le site, ou y figurent comme avant.`,
  news: (count) => `Nouveau depuis notre dernier message : ${count}.`,
  waiting: (count) => `Nouveaux éléments que la rédaction du site doit encore examiner : ${count}.`,
  cancelled: 'Dans votre flux, ces éléments sont annulés ou privés. S’ils doivent disparaître du site, dites-le-nous.',
  filesMissing: 'Le site montre ces éléments sans le fichier, ou avec un fichier antérieur.',
  more: (count) => `… et ${count} de plus`,
  attached: 'Le tableau joint les contient avec leurs valeurs. Il s’ouvre avec n’importe quel tableur.',
  closing: 'Ce que vous corrigez dans le flux est publié automatiquement.',
  link: (until) => `Cette page montre ce qui ne va pas en ce moment. Le lien est valable jusqu’au ${until} :`,
  signed:
    'Ce message a été écrit par un programme ; votre réponse sera lue par une personne. Le programme vous écrira de nouveau en cas de nouveau problème, et quand tout sera en ordre.',
  well: 'Tout ce dont nous vous avons parlé est en ordre. Il n’y a plus rien à faire.',
  nothing: 'Votre flux est en ordre.',
  unsettled: 'Votre flux n’est pas entièrement publié en ce moment. Les responsables du site s’en occupent.',
  page: (feed) => `Votre flux ${feed}`,
  test: 'Ceci n’est qu’un test : tout est en ordre. En cas de problème avec votre flux, un message arrivera à cette adresse.',
  table: { name: 'elements', place: 'Endroit', entry: 'Élément', mistake: 'Ce qui ne va pas', fix: 'Que faire' },
};
