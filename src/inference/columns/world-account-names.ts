/** Names of the fields of accounts in further languages, to be added to those of `account-names.ts`: the sure ones. */
export const worldAccountNames = {
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
