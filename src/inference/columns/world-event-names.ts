/** Names of the fields of events in further languages, to be added to those of `event-names.ts`: the sure ones. */
export const worldEventNames = {
  title: `название наименование мероприятие событие спектакль назва подія захід заглавие събитие име tytul nazwa wydarzenie akce nazev nazov
    podujatie udalost esemeny eloadas rendezveny megnevezes esemenyneve titlu denumire eveniment naslov dogadaj dogodek naziv prireditev
    etkinlik etkinlikadi etkinlikismi ad adi baslik τιτλοσ τίτλος εκδήλωση όνομα العنوان عنوان الفعالية عنوانالفعالية اسمالفعالية
    اسم כותרת שם אירוע שםהאירוע שםההצגה הצגה מופע 名称 名前 タイトル 件名 イベント名 公演名 催し名 題名 演題 行事名 講座名 事業名
    名稱 活動名稱 活动名称 標題 标题 主題 主题 題目 题目 节目 節目 演出 活動 活动 공연명 행사명 제목 프로그램명 프로그램 강좌명 명칭 행사
    evtnm eventnm actname spectacle designacao denominacion actividad ilmoitus nimetus pavadinimas nosaukums tenkiem tieude`,
  start: `дата начало початок датаначала датапроведения датапоказа датасобытия датаивремя когда датапочатку коли датана datarozpoczecia termin kiedy
    datawydarzenia datumkonani terminkonani kdy kedy terminkonania idopont mikor kezdes kezdete kezdodatum cand datainceput kada kdaj pocetak
    tarih baslangic baslangictarihi etkinliktarihi ημερομηνία πότε έναρξη ημερομηνίαέναρξης التاريخ تاريخ تاريخالبدء تاريخالفعالية
    תאריך מתי תאריךהתחלה תאריךהאירוע 日付 開催日 日時 開催日時 会期 会期開催日 公演日 公演日時 実施日 開始日 期間 開催期間 月日 日程
    日期 活動日期 活动日期 开始日期 開始日期 演出日期 舉辦日期 举办日期 일시 날짜 일자 공연일 공연일시 공연일자 행사일 행사일시 행사일자 시작일
    기간 행사기간 공연기간 fechas dates hvornar milloin paivays aeg laikas dati ngay datastart dtstartdate evtdt eventdt dt evdate strtdt
    startdt stts startts tsstart stdt sdate actsdate showdt dtevent dtinicio sessiondate performancedate`,
  startTime: `время начало времяначала початок година часначала godzina godz godzinarozpoczecia cas hodina zacatek cacas ido kezdes kezdesiido
    saat baslangicsaati ώρα έναρξη ώραέναρξης الوقت من وقتالبدء الساعة وقت שעה שעתהתחלה 時間 開演 時刻 開始時間 開始時刻 開演時間 時間帯
    时间 開始時間 开始时间 시간 시작시간 공연시간 시각 시작 strttm sttm starttm stime actstime tm klo aika laiks gio kellonaika h heures`,
  end: `termino датаокончания окончание конец до датакінця datazakonczenia zakonczenie koniec konec vege befejezes vegdatum sfarsit
    datasfarsit zavrsetak bitis bitistarihi λήξη έως ημερομηνίαλήξης إلى حتى تاريخالانتهاء סיום עד תאריךסיום 終了日 終了日時 終了
    結束日期 结束日期 結束 종료일 종료일시 종료 endt enddt edate actedate ents endts tsend dtfim dttermino`,
  endTime: `termino fim окончание времяокончания до конец кінець godzinazakonczenia do koniec konec vege bitissaati bitis λήξη ώραλήξης έως إلى حتى
    وقتالانتهاء שעתסיום סיום עד 終了時間 終演 終了時刻 終了 結束時間 结束时间 결束 종료시간 종료 endtm etime actetime`,
  allDay:
    'heldag helgedag hela весьдень увесьдень calydzien caldzien celyden celyde egesznap egesznapos tumgun όληημέρα όλημέρα 終日 全天 整天 종일 cijelidan tododia helepaiva kokopaiva',
  category: `категория жанр тип вид категорія kategoria rodzaj gatunek druh mufaj tipus tur kategori turu κατηγορία είδος التصنيف النوع קטגוריה סוג
    種別 カテゴリ カテゴリー 分類 ジャンル 区分 類別 类别 分类 類型 类型 분류 구분 장르 카테고리 ciclo ciclotipo reihe serie`,
  location: `место площадка зал локация місце място зала miejsce sala lokalizacja mistokonani misto miesto helyszin hely terem locatie loc mjesto
    lokacija prostor mekan yer salon mekanadi χώρος τοποθεσία τόπος المكان القاعة الموقع אולם מקום מיקום 会場 場所 開催場所 地點 地点
    場地 场地 활동지점 장소 공연장 행사장 facility anlaggning asukoht vieta diadiem`,
  description: `описание опис opis popis leiras descriere aciklama περιγραφή الوصف תיאור 説明 内容 概要 詳細 說明 说明 描述 簡介 简介 內容 설명 내용 소개
    kirjeldus aprasymas apraksts mota`,
  status: `stat статус состояние stan stav allapot statusz durum aktif κατάσταση الحالة סטטוס 状態 ステータス 公開 狀態 状态 상태 etat situacao situacion
    gepubliceerd publicerad publiceret publie publicado pubblicato publikovano opublikowane ativo activo attivo aktiv julkaistu st tila`,
} as const;

/** Parts of names of dates that are not those of the event, in further languages. */
export const worldOtherDates = `продаж создан изменен публикац регистрац обновл добавлен запис створен оновлен utworz utw dodan publikacj
  zmian zverejn vlozen zalozen uprav predprodej letrehoz jegyertekesit modosit regisztr jelentkez kozzetet kayit basvuru guncell olustur
  yayin δημοσι εγγραφ ενημέρ κράτησ προθεσμ التسجيل النشر تحديث إنشاء פרסום רישום הרשמה עדכון 掲載 公開 更新 登録 申込 締切 発売 受付 登錄 登录 發布 发布
  報名 报名 修改 建立 售票 截止 預約 예매 등록 게시 마감 신청 수정 접수 공개 endret opprett oprett lagttill andrad skapad ilmoittaut muokat luotu
  publicer aangemaakt gewijzigd tilmeld pamelding anmalan eingest einstell admiss inscric inscri prenotaz aggiorna release
  listed entered onsale bookby applic`;
