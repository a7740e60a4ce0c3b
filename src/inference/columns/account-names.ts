import { type Phrases, phrases } from './names.ts';

/** Names of the fields of accounts in further languages: the sure ones. */
const worldAccountNames = {
  email: `электроннаяпочта почта емейл пошта електроннапошта adresemail poczta emailcim correioeletronico correioeletr correioelectronico
    correio ηλεκτρονικήδιεύθυνση ηλταχυδρομείο البريد البريدالإلكتروني بريد דואל מייל דוארהאלקטרוני メール メールアドレス 電子メール 邮箱 电子邮件 電子郵件 信箱
    이메일 전자우편 메일 eposti epostadresi epasts elpastas adresaemail`,
  firstName: `имя имяотчество ім'я imia imię krestnijmeno keresztnev utonev prenume ime isim ad όνομα onoma الاسمالأول שםפרטי 名 名前 名字 이름
    nomeproprio primeironome firstnm fnm eesnimi vardas vards`,
  lastName: `фамилия прізвище nazwisko prijmeni priezvisko vezeteknev csaladnev nume prezime priimek soyad soyadi soyisim επώνυμο eponymo
    اسمالعائلة שםמשפחה 姓 苗字 성 apelidos apelido ultimonome lastnm lnm perekonnanimi pavarde uzvards`,
  displayName: `фио имяифамилия піб imieinazwisko jmenoaprijmeni teljesnev nev numecomplet imeiprezime adsoyad adisoyadi ονοματεπώνυμο onomateponymo
    الاسمالكامل الاسم שםמלא שם 氏名 姓名 お名前 성명 성함 nomecompleto nomcognoms`,
  title: `должность посада stanowisko funkce pozice funkcia beosztas munkakor functie functia funkcija unvan gorev gorevi θέση thesi ιδιότητα المنصب
    الوظيفة תפקיד 役職 職名 肩書 職稱 职位 职务 職務 직위 직책 직급 cargo categoria amt ametinimetus pareigos amats`,
  department: `отдел подразделение відділ wydzial dzial oddeleni oddelenie odbor osztaly szervezetiegyseg departament odsek odjel oddelek birim bolum
    mudurluk τμήμα tmima διεύθυνση القسم מחלקה 部署 所属 部門 部门 單位 单位 부서 소속 unidadeorganica unidade orgeinheit organisationseinheit
    osakond skyrius nodala`,
  phoneOffice: `телефон рабочийтелефон telefonszam telefonni τηλέφωνο τηλ til tilefono هاتف رقمالهاتف טלפון 電話 電話番号 电话 電話號碼 전화 전화번호 연락처
    extensao telefonsluzbowy`,
  status: 'статус active ativo activo attivo aktiv aktif actif 在職 재직 situacao estado zustand',
} as const;

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
