import { type Phrases, phrases } from './names.ts';
import { worldAccountNames } from './world-account-names.ts';

/** Lists the names of a field, with those in further languages. */
function named(field: keyof typeof worldAccountNames, sure: string, likely = ''): Phrases {
  return phrases(`${sure} ${worldAccountNames[field]}`, likely);
}

/** Names of the fields of accounts in the directories of many countries. */
export const accountNames = {
  email: named(
    'email',
    'email emailaddress mail emailadresse eposta mailadresse courriel adressemail correo correoelectronico emailadres epost sahkoposti posta emailwork workemail businessemail primaryemail emailaddr',
    'contactemail emails e mails emailoffice officialemail',
  ),
  username: phrases(
    'username login userid loginname benutzername benutzerkennung kennung netid uid samaccountname account accountname userprincipalname nomutilisateur identifiant callsign usuario nomeutente gebruikersnaam anvandarnamn brukernavn',
    'user handle screenname github slug alias nickname',
  ),
  firstName: named(
    'firstName',
    'firstname givenname vorname vornamen prenom nombre nombres nome fornamn fornavn voornaam etunimi imie jmeno first given forename namefirst namegiven preferredfirstname legalfirstname',
    'preferredname fname prenoms',
  ),
  middleName: phrases(
    'middlename middle zweitername middleinitial secondname deuxiemeprenom segundonombre mi namemiddle mname',
  ),
  lastName: named(
    'lastName',
    'lastname surname familyname nachname familienname zuname nomdefamille nom apellido apellidos cognome sobrenome efternamn etternavn efternavn achternaam sukunimi nazwisko prijmeni last family sn namelast namefamily legallastname',
    'lname secondname',
  ),
  displayName: named(
    'displayName',
    'displayname fullname name vollstandigername anzeigename nomcomplet nombrecompleto nomecompleto cn commonname completename preferredfullname volledigenaam fulltname namefull namedisplay',
    'person employee employeename member mitarbeiter staffname contactname personname membername who speaker',
  ),
  company: phrases(
    'company organization organisation companyname firma unternehmen employer institution societe entreprise empresa azienda bedrijf foretag organizationname organisationname arbeitgeber affiliation startup',
    'o org agency university institute',
  ),
  title: named(
    'title',
    'jobtitle title orgtitle position post positiontitle funktion stellenbezeichnung berufsbezeichnung job role fonction poste titre puesto cargo funcao qualifica ruolo functie befattning stilling titel stelle workertitle businesstitle jobposition jobrole',
    'designation rank occupation profession rolle tatigkeit titulo titolo dienststellung office',
  ),
  department: named(
    'department',
    'department departmentname abteilung dept fachbereich fakultat faculty division unit orgdepartment orgunit organizationalunit ou departement service departamento dipartimento afdeling avdelning avdeling bereich team section institut orgunit departmentnumber businessunit costcenter supervisoryorganization einrichtung',
    'kostenstelle school college',
  ),
  website: phrases(
    'website homepage url web webseite webpage siteweb sitioweb sitoweb personalwebsite profileurl profile linkedin link www labeleduri personalpage page urls blog websiteurl linksprofile linkswebsite linkshomepage',
  ),
  phoneHome: phrases(
    'phonehome homephone telefonprivat privattelefon telephonedomicile telephonehome hometelephone privat phoneprivate privatephone',
  ),
  phoneOffice: named(
    'phoneOffice',
    'phone phonenumber telephone telephonenumber telefon tel telefonnummer phoneoffice officephone workphone phonework businessphone telefondienstlich telefonburo durchwahl telephonebureau telefono telefone telefoon telefonarbeit phonebusiness phonenumberwork officetelephone worktelephone phoneext phones phonesoffice phoneswork phonesbusiness',
    'extension ext fon contactnumber contactphone phone1 numerotelephone',
  ),
  phoneMobile: phrases(
    'mobile mobilephone mobil handy mobiltelefon mobilnummer handynummer cell cellphone phonemobile portable telephoneportable celular movil telefonomovil cellulare mobielnummer mobiel phonesmobile phonescell mobilenumber phonecell mobiltlf',
  ),
  phoneTollFree: phrases('tollfree phonetollfree tollfreephone tollfreenumber freephone'),
  phoneOther: phrases('otherphone phoneother phone2 secondaryphone alternatephone telefon2'),
  pager: phrases('pager'),
  fax: phrases('fax faxnumber telefax facsimile facsimiletelephonenumber faxnummer telecopie faxoffice officefax'),
  gender: phrases('gender sex geschlecht genre sexe sexo genero sesso genere geslacht kon'),
  status: named(
    'status',
    'status employmentstatus state active isactive enabled disabled inactive deleted isdeleted terminated archived suspended accountstatus',
  ),
} as const;
