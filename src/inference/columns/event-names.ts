import { foldWord, type Phrases, pairs, phrases } from './names.ts';
import { worldEventNames, worldOtherDates } from './world-event-names.ts';

const words = {
  start:
    'start begin begins starts beginn anfang von from debut inicio inizio comienzo start inici aloitus alku poczatek zacatek begin ab',
  end: 'end ends finish ende bis to until fin fim fine termino slut eind einde loppu koniec konec',
  day: 'date day datum tag fecha data dato dag jour dia giorno dt datetime timestamp dateandtime datetime at on paiva pvm',
  time: 'time zeit uhrzeit heure hora ora horario tid tijd klockslag aika kello godzina cas hour',
};

/** Lists the names of a field, with those in further languages. */
function named(field: keyof typeof worldEventNames, sure: string, likely = '', possible = ''): Phrases {
  return phrases(`${sure} ${worldEventNames[field]}`, likely, possible);
}

/** Names of the fields of events in the feeds of many countries. */
export const eventNames = {
  title: named(
    'title',
    'title eventname eventtitle fullname longname fulltitle titel veranstaltungstitel veranstaltungsname titre nomevenement titreevenement titulo titol titolo otsikko tytul nazev naslov name summary benamning kursbenamning kursnamn kursname coursename',
    `subject headline heading caption bezeichnung intitule nom nombre nome naam navn namn tittel overskrift nimi nev nomeevento
     nombreevento nomdelamanifestation nomdelevenement betreff asunto oggetto objet onderwerp veranstaltung event evenement evento
     arrangement tapahtuma eventsummary displayname talktitle sessiontitle lecturetitle presentationtitle whatson`,
    `talk session show film movie concert exhibition programme program performance lecture presentation topic theme thema label what
     activity activite actividad attivita aktivitat holiday game match production libelle manifestation seminar workshop course rubrik
     gathering meeting conference artist artists band performer speaker description`,
  ),
  description: named(
    'description',
    `description beschreibung descriptif descripcion descrizione descricao descripcio omschrijving beskrivning beskrivelse kuvaus opis
     popis leiras longdescription fulldescription eventdescription descriptiontext langbeschreibung descriptionlongue longdesc desc
     abstract body content details`,
    `text inhalt detail longtext about synopsis shortdescription descriptioncourte kurzbeschreibung summary teaser excerpt intro lead
     information infos info contenu contenido resume resumen testo blurb presentation descriptionhtml bodyhtml programm`,
    'notes note comment comments bemerkung bemerkungen hinweis remarks subtitle untertitel soustitre story moreinfo additionalinformation',
  ),
  start: named(
    'start',
    `start starts startdate startdatetime startdateandtime startsat startat dtstart startson begin begins beginning begindate startdatum anfang
     anfangsdatum beginn beginndatum datumvon vondatum datevon debut datedebut datededebut datetimedebut inicio fechainicio fechadeinicio fechacomienzo
     fechahorainicio datainizio inizio datainicio datadinici startdato startdag alkaa alkamisaika alkamispaiva begindatum datefrom fromdate firstdate firstbegin startlocaldate datestartat startdt
     startdatelocal startlocal localstart startutc utcstartdate startsatlocal datestart begintime starttime timestart startdateiso scheduledstart
     starttimestamp publishingstart timingsbegin firsttimingbegin datepoczatku datazacatku ${pairs(words.start, words.day)}`,
    `date eventdate datetime dateandtime dateofevent datum veranstaltungsdatum termin tag fecha fechaevento data dato dateheure datehora fechahora pvm paiva paivamaara dates from von
     day jour dia giorno dag when wann quand cuando quando eventday startday datestr isodate`,
    'timestamp scheduledat scheduled time heldon showdate gamedate meetingdate doors',
  ),
  startTime: named(
    'startTime',
    `starttime beginntum startlocaltime timestart timefrom startzeit anfangszeit beginnzeit uhrzeit uhrzeitvon zeitvon heuredebut heurededebut horainicio horadeinicio orainizio
     horadinici starttid starttijd begintijd aanvang begintime eventtime timeofevent klockslag alkamisaika fromtime start begin beginn ${pairs(words.start, words.time)}`,
    'time zeit heure hora ora tid tijd horaire horario orario uhr kl klokkeslett aika kello godzina cas hours heures tiempo from von timings',
    'doors doorsopen einlass when day date',
  ),
  end: named(
    'end',
    `end ends enddate enddatetime enddateandtime endsat endat endson dtend enddt endlocaldate finish finishes finishdate enddatum ende endedatum datumbis bisdatum datebis fin datefin
     datedefin datetimefin fechafin fechadefin fechafinal fechahorafin datafine fine datafim fim datafi slutdato slutdatum slut loppuu paattymisaika paattymispaiva einddatum
     eind einde dateto todate lastdate lastend enddatelocal endlocal localend endutc utcenddate dateend endtime timeend endtimestamp scheduledend timingsend
     datetermino fechatermino ${pairs(words.end, words.day)}`,
    'to bis until till through thru jusqu au hasta ate tot til',
    'closes closing closingdate closedate lastday enddateiso untildate',
  ),
  endTime: named(
    'endTime',
    `endtime endlocaltime timeend endetum timeto endzeit endezeit zeitbis uhrzeitbis heurefin heuredefin horafin horadefin horafinal orafine sluttid eindtijd slut finishtime totime end
     ende fin einde ${pairs(words.end, words.time)}`,
    'until till to bis finish',
  ),
  allDay: named(
    'allDay',
    `allday isallday alldayevent isalldayevent falldayevent ganztagig ganztagigesereignis ganztaegig ganztags ganzertag journeeentiere toutelajournee todoeldia tododia diainteiro tuttoilgiorno
     heledag heladagen heledagen fullday isfullday wholeday`,
  ),
  isFeatured: phrases(
    `featured isfeatured highlight highlighted ishighlight ishighlighted promoted ispromoted sticky issticky topevent toptermin highlights hervorgehoben empfohlen
     enavant destacado inevidenza uitgelicht important recommended pinned ispinned editorspick`,
  ),
  image: phrases(
    `image imageurl images picture pictureurl photo photourl photos bild bildurl bilder bildlink foto fotourl imagem imagen immagine afbeelding billede kuva affiche
     poster posterurl banner bannerimage cover coverimage coverphoto featuredimage featuredmedia heroimage mainimage primaryimage headerimage imagelink imagesrc
     eventimage logo logourl flyer visuel thumbnail thumbnailurl thumb imagelarge imagefull imagesurl imageoriginal`,
    'media visual picturelink imagepath urlimage urlphoto mediaurl imgurl img src',
  ),
  caption: phrases(
    `alt alttext alternativetext alternativtext imagealt imagealttext imagecaption imagedescription photoalt photocaption photodescription picturealt
     picturecaption bildunterschrift bildbeschreibung bildtext bildalt textealternatif legendeimage legendephoto textoalternativo piedefoto didascalia
     testoalternativo`,
    'caption legende leyenda legenda',
  ),
  category: named(
    'category',
    `category categories categoryname kategorie kategorien kategorienname rubrik rubriken categorie categoria categorias categoriaevento kategori kategoria
     eventtype eventtypes eventcategory eventcategories tipoevento tipodeevento typeevenement veranstaltungsart veranstaltungstyp typ type types categoriesname categorytitle categorieslabel`,
    'genre genres art sparte soort tipo tags tag keywords motscles schlagworte track classification eventclassification division sort',
    'tema thema themen theme themes topic topics',
  ),
  location: named(
    'location',
    `location locationname venue venuename venuetitle place placename ort ortname veranstaltungsort spielort spielstatte lieu lieunom nomlieu nomdulieu locationtitle lugar nombrelugar
     luogo nomeluogo local locatie locatienaam plats sted paikka miejsce misto lokalitet eventlocation eventvenue locationdisplayname standort venuelabel
     locationlabel espai equipamiento nombreinstalacion nombreequipamiento`,
    'room roomname raum saal salle sala rum zaal building site where address adresse venueaddress locationaddress fulladdress direccion indirizzo adres',
    'facility park hall theater theatre stage campus town city ville ciudad stadt',
  ),
  url: phrases(
    'url link website permalink eventurl weburl webseite web homepage detailurl href externalurl eventlink pageurl canonicalurl siteurl moreinfo moreinfourl lien enlace',
    'registrationurl ticketurl ticketlink tickets registration infourl source',
  ),
  home: phrases(
    'home hometeam heim heimteam heimmannschaft domicile equipolocal casa team1 teama',
    'team club mannschaft equipe equipo squadra',
  ),
  away: phrases(
    'away awayteam gast gastteam gastmannschaft visitor visitors visiting visitingteam exterieur visitante guest opponent gegner adversaire team2 teamb',
  ),
  organizer: phrases(
    'organizer organiser organizername organisername veranstalter organisateur organizador organizzatore organisator host hostedby sponsor group',
  ),
  price: phrases(
    'price prices cost costs ticketprice preis preise eintritt eintrittspreis tarif tarifs prix precio prezzo preco pris admission fee entry ticketcost',
  ),
  contact: phrases('contact contactname contactemail contactperson ansprechpartner kontakt email phone telefon'),
  repeats: phrases('repeats isrecurring recurring wiederkehrend'),
  status: named(
    'status',
    'status eventstatus state cancelled iscancelled canceled iscanceled abgesagt annule cancelado deleted isdeleted removed isremoved zustand estado stato statut publicationstatus poststatus published ispublished visible isvisible active isactive visibility private isprivate privat hidden ishidden access draft isdraft public ispublic offentlich publico publicar approved isapproved aprovado',
  ),
} as const;

/** Words in the names of ends, unless the name also has one of the starts. */
export const endWords =
  /\b(end|ends|ending|ende|endet|endat|fin|fine|fim|finish|finishes|finished|until|till|bis|thru|through|closing|closes|close|last|letzter|slut|eind|einde|koniec|hasta|jusqu|jusqua)\b/;
export const startWords = /\b(start|starts|begin|begins|beginn|from|von|ab|debut|inicio|inizio|opening|first)\b/;

const otherDates =
  /(created|creation|(?<!meet)update|modified|modification|changed|published|publish|publication|^pub|posted|added|imported|registration|register|^reg(end|close|open)|billetterie|rsvp|signup|deadline|sale|sales|due|cutoff|birth|born|hire|hired|expir|valid|lastm|lastu|lastc|laste|lastl|lastsee|erstellt|geandert|aktualisiert|veroffentlicht|anmelde|anmeldung|meldeschluss|vorverkauf|creado|modifie|maj|miseajour|inscription|reservation|booking|submission|notification|early)/;
const otherDatesInWorld = foldWord(worldOtherDates).trim().split(/\s+/);

/** Returns whether a name in lower case, without blanks, is that of a date that is not the date of the event. */
export function isOtherDateName(name: string): boolean {
  return otherDates.test(name) || otherDatesInWorld.some((word) => name.includes(word));
}
