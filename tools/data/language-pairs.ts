/** One report of a pair, as title and description. */
export type Report = readonly [title: string, body: string];

/**
 * Pairs of reports that describe the same fault in different words, written for this benchmark.
 * All pairs of a language concern one product, so that the other reports are plausible wrong
 * candidates.
 */
export const languagePairs: Readonly<Record<string, readonly (readonly [Report, Report])[]>> = {
  chinese: [
    [
      ['登录失败后页面一直显示加载中', '输入错误的密码以后，加载动画不会消失。'],
      ['密码错误时加载动画不停止', '登录的时候如果密码输错，页面永远停在加载状态。'],
    ],
    [
      ['导出的 CSV 文件中文乱码', '用 Excel 打开导出文件，中文字符全部变成问号。'],
      ['Excel 打开 CSV 显示乱码', '导出报表之后中文不能正常显示，编码好像不是 UTF-8。'],
    ],
    [
      ['数据库连接池耗尽导致服务不可用', '高峰期所有请求超时，日志提示无法获取数据库连接。'],
      ['并发较高时获取数据库连接超时', '连接池里没有空闲连接，服务停止响应。'],
    ],
    [
      ['设置页面保存后语言没有改变', '选择英文并保存，界面仍然是中文。'],
      ['切换界面语言不生效', '在设置里把语言改成英文，保存以后刷新也没有变化。'],
    ],
    [
      ['手机端菜单被键盘遮挡', '在安卓手机上输入搜索内容时，键盘盖住了底部菜单。'],
      ['安卓键盘弹出时看不到底部菜单', '搜索框获得焦点之后菜单被挡住。'],
    ],
    [
      ['邮件通知重复发送', '同一条评论收到三封通知邮件。'],
      ['评论后收到多封相同的邮件', '每次有新评论都会重复发通知。'],
    ],
    [
      ['上传大文件时内存溢出', '上传超过 2GB 的附件，服务器抛出 OutOfMemoryError。'],
      ['附件过大导致 OutOfMemoryError', '服务器把整个上传文件读入内存，大附件会崩溃。'],
    ],
    [
      ['搜索结果没有按时间排序', '最新的工单应该排在最前面，现在顺序是随机的。'],
      ['工单列表搜索排序不正确', '搜索工单时结果顺序混乱，希望按创建时间排列。'],
    ],
    [
      ['删除项目后任务仍然运行', '项目已经删除，定时任务还在执行。'],
      ['已删除项目的定时任务没有停止', '后台每小时仍会触发该项目的任务。'],
    ],
    [
      ['升级到 3.2 版本后无法启动', '升级完成后启动报错，找不到配置文件 config.yaml。'],
      ['新版本启动时找不到 config.yaml', '从旧版本升级到 3.2，服务启动失败。'],
    ],
    [
      ['头像图片显示变形', '长方形的头像被拉伸成正方形。'],
      ['上传非正方形头像会被拉伸', '头像应该裁剪而不是变形。'],
    ],
    [
      ['权限不足的用户可以看到管理员菜单', '普通用户登录之后侧边栏出现管理入口。'],
      ['普通用户侧边栏显示管理入口', '没有管理员权限也能看到管理菜单。'],
    ],
    [
      ['批量导入用户时报空指针异常', '导入的表格里邮箱为空时出现 NullPointerException。'],
      ['导入用户邮箱列为空会抛出 NullPointerException', '批量添加用户，表格缺少邮箱就失败。'],
    ],
    [
      ['时区显示错误', '服务器使用 UTC，页面上的时间比本地时间早八小时。'],
      ['页面时间相差八小时', '所有时间都按 UTC 显示，没有转换成本地时区。'],
    ],
  ],
  japanese: [
    [
      [
        'ログインに失敗すると読み込み中の表示が消えない',
        '間違ったパスワードを入力した後、スピナーが回り続けます。',
      ],
      [
        'パスワードを間違えるとスピナーが止まらない',
        'ログイン画面で入力ミスをすると読み込み中のままになる。',
      ],
    ],
    [
      ['CSV のエクスポートで日本語が文字化けする', 'Excel で開くと日本語がすべて文字化けしています。'],
      ['Excel で CSV を開くと文字が化ける', '出力したファイルの文字コードが UTF-8 ではないようです。'],
    ],
    [
      [
        'データベース接続プールが枯渇してサービスが停止する',
        'ピーク時にすべてのリクエストがタイムアウトします。',
      ],
      ['アクセスが多いとデータベースの接続を取得できない', '接続プールに空きがなくなり、応答が返らない。'],
    ],
    [
      ['設定画面で言語を変更しても反映されない', '英語を選んで保存しても、画面は日本語のままです。'],
      ['表示言語の切り替えが効かない', '設定で英語に変えて保存し、再読み込みしても変わらない。'],
    ],
    [
      ['スマートフォンでメニューがキーボードに隠れる', '検索欄に入力すると下のメニューが見えません。'],
      ['Android でキーボードを開くと下部メニューが見えない', '検索欄を選ぶとメニューが隠れてしまう。'],
    ],
    [
      ['通知メールが重複して届く', '一つのコメントに対してメールが三通届きます。'],
      ['コメントのたびに同じメールが何通も送信される', '新しいコメントがあると通知が重複する。'],
    ],
    [
      [
        '大きなファイルのアップロードでメモリ不足になる',
        '2GB を超える添付ファイルで OutOfMemoryError が発生します。',
      ],
      [
        '添付ファイルが大きいと OutOfMemoryError で落ちる',
        'アップロードされたファイル全体をメモリに読み込んでいる。',
      ],
    ],
    [
      ['検索結果が日付順に並ばない', '新しい課題が先頭に来るべきですが、順番がばらばらです。'],
      ['課題検索の並び順がおかしい', '検索すると順番が不定になる。作成日で並べてほしい。'],
    ],
    [
      [
        'プロジェクトを削除しても定期ジョブが動き続ける',
        '削除したはずのプロジェクトのジョブが毎時間実行されます。',
      ],
      ['削除済みプロジェクトのジョブが停止しない', '定期実行が残っている。'],
    ],
    [
      ['3.2 へ更新すると起動できない', '起動時に設定ファイル config.yaml が見つからないと表示されます。'],
      ['新しい版で config.yaml が見つからず起動に失敗する', '3.2 に更新した後、サービスが立ち上がらない。'],
    ],
    [
      ['プロフィール画像が引き伸ばされる', '長方形の画像が正方形に変形して表示されます。'],
      ['正方形でないアイコン画像が変形する', 'プロフィールの画像は切り抜いて表示してほしい。'],
    ],
    [
      ['権限のない利用者に管理メニューが表示される', '一般ユーザーでもサイドバーに管理の項目が出ます。'],
      ['一般ユーザーのサイドバーに管理項目が見える', '管理者権限がなくてもメニューに表示される。'],
    ],
    [
      ['ユーザーの一括登録で NullPointerException が発生する', 'メールアドレスの列が空だと失敗します。'],
      ['メールアドレスが空の行を取り込むと NullPointerException', 'ユーザーを一括で取り込むとエラーになる。'],
    ],
    [
      ['時刻の表示が九時間ずれる', 'サーバーの UTC のまま画面に表示されています。'],
      ['画面の時刻が UTC のまま', '現地のタイムゾーンに変換されず、九時間ずれている。'],
    ],
  ],
  korean: [
    [
      ['로그인에 실패하면 로딩 표시가 사라지지 않습니다', '잘못된 비밀번호를 입력한 후 로딩이 계속됩니다.'],
      [
        '비밀번호가 틀리면 로딩이 멈추지 않음',
        '로그인할 때 비밀번호를 잘못 입력하면 화면이 로딩 상태로 남는다.',
      ],
    ],
    [
      ['CSV 파일을 내보내면 한글이 깨집니다', '엑셀에서 열면 한글이 모두 물음표로 보입니다.'],
      ['엑셀로 연 CSV에서 한글 깨짐', '내보낸 파일의 인코딩이 UTF-8이 아닌 것 같다.'],
    ],
    [
      ['데이터베이스 연결 풀이 고갈되어 서비스가 중단됩니다', '사용자가 몰리면 모든 요청이 시간 초과됩니다.'],
      [
        '요청이 많을 때 데이터베이스 연결을 얻지 못함',
        '연결 풀에 남은 연결이 없어서 서비스가 응답하지 않는다.',
      ],
    ],
    [
      ['설정에서 언어를 바꿔도 적용되지 않습니다', '영어를 선택하고 저장해도 화면은 한국어입니다.'],
      ['화면 언어 변경이 안 됨', '설정 화면에서 영어로 저장하고 새로고침해도 언어가 그대로다.'],
    ],
    [
      ['휴대폰에서 키보드가 메뉴를 가립니다', '검색어를 입력하면 아래쪽 메뉴가 보이지 않습니다.'],
      ['안드로이드에서 키보드가 열리면 하단 메뉴가 가려짐', '검색창을 누르면 메뉴를 볼 수 없다.'],
    ],
    [
      ['알림 메일이 중복으로 발송됩니다', '댓글 하나에 메일이 세 통 옵니다.'],
      ['댓글마다 같은 메일을 여러 통 받음', '새 댓글이 달리면 알림이 중복된다.'],
    ],
    [
      ['큰 파일을 업로드하면 메모리가 부족합니다', '2GB가 넘는 첨부파일에서 OutOfMemoryError가 발생합니다.'],
      ['첨부파일이 크면 OutOfMemoryError로 종료됨', '업로드한 파일 전체를 메모리에 읽는다.'],
    ],
    [
      ['검색 결과가 날짜순으로 정렬되지 않습니다', '최신 이슈가 먼저 나와야 하는데 순서가 무작위입니다.'],
      ['이슈 검색의 정렬이 이상함', '검색하면 순서가 뒤섞인다. 생성 날짜로 정렬해야 한다.'],
    ],
    [
      ['프로젝트를 삭제해도 예약 작업이 계속 실행됩니다', '삭제한 프로젝트의 작업이 매시간 돌아갑니다.'],
      ['삭제된 프로젝트의 예약 작업이 중지되지 않음', '작업이 남아 있어서 계속 실행된다.'],
    ],
    [
      [
        '3.2로 업그레이드한 후 시작되지 않습니다',
        '시작할 때 설정 파일 config.yaml을 찾을 수 없다고 나옵니다.',
      ],
      ['새 버전에서 config.yaml을 못 찾아 시작 실패', '3.2 버전으로 올린 뒤 서비스가 켜지지 않는다.'],
    ],
    [
      ['프로필 사진이 늘어나 보입니다', '직사각형 사진이 정사각형으로 변형됩니다.'],
      ['정사각형이 아닌 프로필 이미지가 변형됨', '사진을 잘라서 보여 주어야 한다.'],
    ],
    [
      [
        '권한이 없는 사용자에게 관리자 메뉴가 보입니다',
        '일반 사용자로 로그인해도 사이드바에 관리 항목이 나타납니다.',
      ],
      ['일반 사용자 사이드바에 관리 항목 노출', '관리자 권한 없이도 메뉴를 볼 수 있다.'],
    ],
    [
      ['사용자를 일괄 등록할 때 NullPointerException이 발생합니다', '이메일 열이 비어 있으면 실패합니다.'],
      ['이메일이 빈 행을 가져오면 NullPointerException', '사용자 일괄 등록이 오류로 끝난다.'],
    ],
    [
      ['시간이 아홉 시간 차이로 표시됩니다', '서버의 UTC 시간이 그대로 화면에 나옵니다.'],
      ['화면의 시간이 UTC로 나옴', '현지 시간대로 변환되지 않아 아홉 시간 차이가 난다.'],
    ],
  ],
  german: [
    [
      [
        'Ladeanzeige verschwindet nach fehlgeschlagener Anmeldung nicht',
        'Nach der Eingabe eines falschen Passworts dreht sich die Anzeige weiter.',
      ],
      [
        'Anmeldung mit falschem Passwort: Anzeige dreht sich endlos',
        'Wenn man sich bei der Eingabe vertippt, bleibt die Seite im Ladezustand.',
      ],
    ],
    [
      [
        'Exportierte Dateien enthalten kaputte Umlaute',
        'Wenn ich eine exportierte Datei in Excel öffne, sind alle Umlaute zerstört.',
      ],
      ['Umlaut wird beim Export zerstört', 'Die Datei ist nach dem Exportieren nicht in UTF-8 kodiert.'],
    ],
    [
      [
        'Verbindungen zur Datenbank gehen aus',
        'Bei vielen Anfragen wartet der Dienst auf eine freie Verbindung und antwortet nicht mehr.',
      ],
      [
        'Dienst hängt, weil keine Datenbankverbindung frei ist',
        'Unter Last bekommen Anfragen keine Verbindung zur Datenbank.',
      ],
    ],
    [
      [
        'Sprache lässt sich nicht ändern',
        'Nach dem Speichern der Einstellungen ist die Oberfläche wieder deutsch.',
      ],
      [
        'Geänderte Spracheinstellung wird nicht gespeichert',
        'Ich ändere in den Einstellungen die Sprachen und nach dem Neuladen ist alles wie vorher.',
      ],
    ],
    [
      [
        'Benachrichtigungen werden doppelt verschickt',
        'Zu jedem Kommentar erhalte ich die gleiche Mail dreimal.',
      ],
      [
        'Doppelte Benachrichtigung bei neuen Kommentaren',
        'Es kommen mehrere gleiche Mails zu einem Kommentar an.',
      ],
    ],
    [
      ['Suchergebnisse sind falsch sortiert', 'Die neuesten Vorgänge sollten zuerst angezeigt werden.'],
      [
        'Falsche Sortierung der Ergebnisse in der Suche',
        'Ein neuer Vorgang wird nicht an erster Stelle angezeigt.',
      ],
    ],
    [
      [
        'Gelöschtes Projekt führt weiterhin geplante Aufgaben aus',
        'Obwohl das Projekt gelöscht wurde, läuft die Aufgabe jede Stunde.',
      ],
      [
        'Geplante Aufgabe läuft nach dem Löschen des Projekts weiter',
        'Die Aufgaben gelöschter Projekte werden nicht beendet.',
      ],
    ],
    [
      [
        'Speicher läuft beim Hochladen großer Anhänge voll',
        'Der Server liest hochgeladene Dateien vollständig in den Speicher.',
      ],
      [
        'Großer Anhang lässt den Server abstürzen',
        'Beim Hochladen eines großen Anhangs reicht der Speicher nicht.',
      ],
    ],
    [
      ['Profilbilder werden verzerrt dargestellt', 'Rechteckige Bilder werden in die Breite gezogen.'],
      [
        'Verzerrtes Profilbild bei rechteckigem Bild',
        'Das Bild sollte zugeschnitten und nicht verzerrt werden.',
      ],
    ],
    [
      [
        'Normale Benutzer sehen den Menüpunkt der Verwaltung',
        'Ohne Rechte wird der Eintrag im Menü angezeigt.',
      ],
      [
        'Menüeintrag der Verwaltung für jeden Benutzer sichtbar',
        'Auch ein Benutzer ohne Recht auf die Verwaltung sieht den Punkt.',
      ],
    ],
  ],
  french: [
    [
      [
        'L’indicateur de chargement reste affiché après un échec de connexion',
        'Après la saisie d’un mauvais mot de passe, le chargement ne s’arrête pas.',
      ],
      [
        'Connexion échouée : le chargement continue sans fin',
        'Quand les mots de passe saisis sont mauvais, la page reste bloquée.',
      ],
    ],
    [
      [
        'Les accents sont cassés dans les fichiers exportés',
        'En ouvrant un fichier exporté dans Excel, les caractères accentués sont illisibles.',
      ],
      [
        'Caractère accentué illisible après exportation',
        'Le fichier que nous exportons n’est pas encodé en UTF-8.',
      ],
    ],
    [
      [
        'Plus de connexions disponibles vers la base de données',
        'Quand il y a beaucoup de requêtes, le service attend une connexion libre.',
      ],
      [
        'Le service ne répond plus faute de connexion à la base',
        'Chaque requête attend qu’une connexion à la base de données se libère.',
      ],
    ],
    [
      [
        'Impossible de changer la langue',
        'Après avoir enregistré les paramètres, l’interface reste en français.',
      ],
      [
        'Le changement de langue n’est pas enregistré',
        'Je change les langues dans le paramètre de l’interface et rien ne se passe.',
      ],
    ],
    [
      [
        'Les notifications sont envoyées en double',
        'Pour chaque commentaire je reçois trois courriels identiques.',
      ],
      [
        'Notification envoyée plusieurs fois pour un commentaire',
        'Les nouveaux commentaires provoquent un courriel identique répété.',
      ],
    ],
    [
      [
        'Les résultats de recherche sont mal triés',
        'Les tickets récents devraient être affichés en premier.',
      ],
      ['Mauvais tri du résultat des recherches', 'Un ticket récent n’est pas affiché au début de la liste.'],
    ],
    [
      [
        'Un projet supprimé exécute encore ses tâches planifiées',
        'Bien que le projet soit supprimé, la tâche est exécutée chaque heure.',
      ],
      [
        'La tâche planifiée continue après la suppression des projets',
        'Les tâches ne sont pas arrêtées quand on supprime.',
      ],
    ],
    [
      [
        'Mémoire saturée lors du téléversement de grosses pièces jointes',
        'Le serveur lit les fichiers téléversés entièrement en mémoire.',
      ],
      [
        'Grosse pièce jointe : le serveur tombe',
        'Quand on téléverse une pièce trop grosse, la mémoire du serveur ne suffit pas.',
      ],
    ],
    [
      ['Les images de profil sont déformées', 'Les images rectangulaires sont étirées.'],
      ['Image rectangulaire étirée dans le profil', 'Il faudrait recadrer sans étirer.'],
    ],
    [
      [
        'Les utilisateurs normaux voient le menu d’administration',
        'Sans les droits, l’entrée est visible dans la barre.',
      ],
      [
        'Entrée d’administration visible pour chaque utilisateur',
        'Même un utilisateur sans droit voit cette entrée du menu.',
      ],
    ],
  ],
  spanish: [
    [
      [
        'El indicador de carga no desaparece tras un inicio de sesión fallido',
        'Después de escribir una contraseña equivocada la página sigue cargando.',
      ],
      [
        'Contraseña equivocada: la carga no termina',
        'Si las contraseñas escritas son equivocadas, el indicador gira para siempre.',
      ],
    ],
    [
      [
        'Los acentos se rompen en los archivos exportados',
        'Al abrir un archivo exportado en Excel los caracteres acentuados son ilegibles.',
      ],
      ['Carácter acentuado ilegible al exportar', 'El archivo que exportamos no está codificado en UTF-8.'],
    ],
    [
      [
        'Se agotan las conexiones con la base de datos',
        'Con muchas peticiones el servicio espera una conexión libre.',
      ],
      [
        'El servicio no responde por falta de conexión',
        'Cada petición espera a que quede libre una conexión con la base.',
      ],
    ],
    [
      ['No se puede cambiar el idioma', 'Después de guardar los ajustes la interfaz sigue en español.'],
      ['El cambio de idioma no se guarda', 'Cambio los idiomas en el ajuste de la interfaz y no pasa nada.'],
    ],
    [
      ['Las notificaciones se envían duplicadas', 'Por cada comentario recibo tres correos iguales.'],
      [
        'Notificación enviada varias veces por un comentario',
        'Los comentarios nuevos provocan un correo igual repetido.',
      ],
    ],
    [
      [
        'Los resultados de la búsqueda están mal ordenados',
        'Las incidencias recientes deberían mostrarse primero.',
      ],
      ['Mal orden del resultado de las búsquedas', 'Una incidencia reciente no se muestra al principio.'],
    ],
    [
      [
        'Un proyecto eliminado sigue ejecutando tareas programadas',
        'Aunque el proyecto se eliminó, la tarea se ejecuta cada hora.',
      ],
      ['La tarea programada continúa al eliminar proyectos', 'Las tareas no se detienen cuando eliminamos.'],
    ],
    [
      [
        'Memoria agotada al subir adjuntos grandes',
        'El servidor lee los archivos subidos enteros en memoria.',
      ],
      [
        'Adjunto grande: se cae el servidor',
        'Al subir un adjunto demasiado grande no alcanza la memoria del servidor.',
      ],
    ],
    [
      ['Las imágenes de perfil aparecen deformadas', 'Las imágenes rectangulares se estiran.'],
      ['Imagen rectangular estirada en el perfil', 'Habría que recortar sin deformar.'],
    ],
    [
      [
        'Los usuarios normales ven el menú de administración',
        'Sin permisos la entrada es visible en la barra.',
      ],
      [
        'Entrada de administración visible para cada usuario',
        'Incluso un usuario sin permiso ve esta entrada del menú.',
      ],
    ],
  ],
  portuguese: [
    [
      [
        'O indicador de carregamento não some após falha no login',
        'Depois de digitar uma senha errada a página continua carregando.',
      ],
      [
        'Senha errada: o carregamento não termina',
        'Se as senhas digitadas estão erradas, o indicador gira para sempre.',
      ],
    ],
    [
      [
        'Acentos quebrados nos arquivos exportados',
        'Ao abrir um arquivo exportado no Excel os caracteres acentuados ficam ilegíveis.',
      ],
      ['Caractere acentuado ilegível ao exportar', 'O arquivo que exportamos não está codificado em UTF-8.'],
    ],
    [
      [
        'As conexões com o banco de dados se esgotam',
        'Com muitas requisições o serviço espera uma conexão livre.',
      ],
      [
        'O serviço não responde por falta de conexão',
        'Cada requisição espera até que uma conexão com o banco fique livre.',
      ],
    ],
    [
      [
        'Não é possível mudar o idioma',
        'Depois de salvar as configurações a interface continua em português.',
      ],
      ['A mudança de idioma não é salva', 'Mudo os idiomas na configuração da interface e nada acontece.'],
    ],
    [
      ['As notificações são enviadas em duplicidade', 'Para cada comentário recebo três mensagens iguais.'],
      [
        'Notificação enviada várias vezes por um comentário',
        'Os comentários novos provocam uma mensagem igual repetida.',
      ],
    ],
    [
      ['Os resultados da busca estão mal ordenados', 'Os chamados recentes deveriam aparecer primeiro.'],
      ['Ordem errada do resultado das buscas', 'Um chamado recente não aparece no começo.'],
    ],
    [
      [
        'Um projeto excluído continua executando tarefas agendadas',
        'Embora o projeto tenha sido excluído, a tarefa é executada a cada hora.',
      ],
      ['A tarefa agendada continua ao excluir projetos', 'As tarefas não param quando excluímos.'],
    ],
    [
      [
        'Memória esgotada ao enviar anexos grandes',
        'O servidor lê os arquivos enviados inteiros na memória.',
      ],
      ['Anexo grande derruba o servidor', 'Ao enviar um anexo muito grande a memória do servidor não basta.'],
    ],
    [
      ['As imagens de perfil aparecem deformadas', 'As imagens retangulares são esticadas.'],
      ['Imagem retangular esticada no perfil', 'Seria preciso recortar sem deformar.'],
    ],
    [
      ['Usuários comuns veem o menu de administração', 'Sem permissões a entrada fica visível na barra.'],
      [
        'Entrada de administração visível para cada usuário',
        'Mesmo um usuário sem permissão vê esta entrada do menu.',
      ],
    ],
  ],
  russian: [
    [
      [
        'Индикатор загрузки не исчезает после неудачного входа',
        'После ввода неверного пароля страница продолжает загружаться.',
      ],
      [
        'Неверный пароль: загрузка не заканчивается',
        'Если ввести неправильные пароли при входе, индикаторы крутятся бесконечно.',
      ],
    ],
    [
      [
        'Кириллица портится в экспортированных файлах',
        'Если открыть экспортированный файл в Excel, буквы не читаются.',
      ],
      ['Нечитаемые буквы при экспорте файла', 'Экспортируемые данные записаны не в UTF-8.'],
    ],
    [
      [
        'Заканчиваются соединения с базой данных',
        'При большом числе запросов служба ждёт свободного соединения.',
      ],
      [
        'Служба не отвечает из-за нехватки соединений',
        'Каждый запрос ждёт, пока освободится соединение с базой.',
      ],
    ],
    [
      ['Невозможно изменить язык', 'После сохранения настроек интерфейс остаётся русским.'],
      ['Изменение языка не сохраняется', 'Меняю языки в настройке интерфейса, и ничего не происходит.'],
    ],
    [
      ['Уведомления отправляются дважды', 'На каждый комментарий приходят три одинаковых письма.'],
      [
        'Повторная отправка уведомления о комментарии',
        'Новые комментарии вызывают одинаковые письма несколько раз.',
      ],
    ],
    [
      ['Результаты поиска неправильно отсортированы', 'Новые задачи должны показываться первыми.'],
      ['Неправильная сортировка результата поиска', 'Новая задача не показана в начале.'],
    ],
    [
      [
        'Удалённый проект продолжает выполнять плановые задания',
        'Хотя проект удалён, задание выполняется каждый час.',
      ],
      ['Плановое задание работает после удаления проекта', 'Задания удалённых проектов не останавливаются.'],
    ],
    [
      [
        'Память переполняется при загрузке больших вложений',
        'Сервер читает загруженные файлы целиком в память.',
      ],
      ['Большое вложение роняет сервер', 'При загрузке большого вложения серверу не хватает памяти.'],
    ],
    [
      ['Изображения профиля искажаются', 'Прямоугольные изображения растягиваются.'],
      ['Прямоугольное изображение в профиле растянуто', 'Следует обрезать без искажения.'],
    ],
    [
      ['Обычные пользователи видят меню администрирования', 'Без прав пункт виден в боковой панели.'],
      [
        'Пункт администрирования виден каждому пользователю',
        'Даже пользователь без права видит этот пункт меню.',
      ],
    ],
  ],
};

/**
 * Search queries of a user who remembers some words of a report. `pair` is the index of the pair
 * whose reports are wanted.
 */
export const languageQueries: Readonly<Record<string, readonly (readonly [query: string, pair: number])[]>> =
  {
    chinese: [
      ['登录 密码', 0],
      ['导出乱码', 1],
      ['数据库超时', 2],
      ['界面语言', 3],
      ['键盘菜单', 4],
      ['重复邮件', 5],
      ['附件内存', 6],
      ['搜索排序', 7],
      ['删除任务', 8],
      ['升级启动失败', 9],
      ['头像变形', 10],
      ['普通用户管理', 11],
      ['导入邮箱', 12],
      ['本地时区', 13],
      ['库连接', 2],
      ['大附件', 6],
    ],
    japanese: [
      ['ログイン パスワード', 0],
      ['文字化け', 1],
      ['データベース接続', 2],
      ['言語の変更', 3],
      ['キーボード メニュー', 4],
      ['通知の重複', 5],
      ['添付ファイルのメモリ', 6],
      ['検索の順番', 7],
      ['削除ジョブ', 8],
      ['更新後の起動', 9],
      ['画像の変形', 10],
      ['管理メニュー', 11],
      ['ユーザー一括', 12],
      ['時刻表示', 13],
    ],
    korean: [
      ['로그인 비밀번호', 0],
      ['한글 깨짐', 1],
      ['데이터베이스 연결', 2],
      ['언어 설정', 3],
      ['키보드 메뉴', 4],
      ['중복 알림', 5],
      ['첨부파일 메모리', 6],
      ['검색 정렬', 7],
      ['프로젝트 삭제', 8],
      ['설정파일', 9],
      ['프로필 변형', 10],
      ['관리자 권한', 11],
      ['이메일 등록', 12],
      ['시간 차이', 13],
    ],
    german: [
      ['Anmeldung Passwort', 0],
      ['Umlaute Export', 1],
      ['Verbindung Anfragen', 2],
      ['Sprache speichern', 3],
      ['Benachrichtigung Kommentare', 4],
      ['Ergebnis sortiert', 5],
      ['Projekte Aufgaben', 6],
      ['Anhänge Speicher', 7],
      ['Bild verzerrt', 8],
      ['Benutzern Menü', 9],
    ],
    french: [
      ['connexions échouées', 0],
      ['accent exporté', 1],
      ['bases connexion', 2],
      ['langues paramètre', 3],
      ['notification commentaires', 4],
      ['recherche triée', 5],
      ['projets tâche', 6],
      ['pièces serveurs', 7],
      ['image étirées', 8],
      ['utilisateur droits', 9],
    ],
    spanish: [
      ['contraseñas equivocada', 0],
      ['acentos exportar', 1],
      ['bases conexión', 2],
      ['idiomas ajuste', 3],
      ['notificación comentarios', 4],
      ['búsquedas ordenado', 5],
      ['proyectos tarea', 6],
      ['adjuntos servidores', 7],
      ['imagen estirada', 8],
      ['usuario permisos', 9],
    ],
    portuguese: [
      ['senhas errada', 0],
      ['acentos exportar', 1],
      ['bancos conexão', 2],
      ['idiomas configuração', 3],
      ['notificação comentários', 4],
      ['buscas ordenado', 5],
      ['projetos tarefa', 6],
      ['anexos servidores', 7],
      ['imagem esticada', 8],
      ['usuário permissões', 9],
    ],
    russian: [
      ['пароль загрузка', 0],
      ['экспорт буква', 1],
      ['соединение запросы', 2],
      ['языки настройка', 3],
      ['уведомление комментарии', 4],
      ['поиск сортировка', 5],
      ['проекты задание', 6],
      ['вложения серверы', 7],
      ['изображение профили', 8],
      ['пользователи права', 9],
    ],
  };
