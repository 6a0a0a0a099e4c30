import { cue } from './cue.ts';

/**
 * Cue words that classify statements. They cover English extensively, and the most frequent words
 * of German, French, Spanish and Japanese. One cue serves all languages, because a word of one
 * language is rarely a word of another.
 */

/** Matches words for a malfunction. */
export const symptomCue = cue(
  String.raw`fail(?:s|ed|ing|ure|ures)?|crash(?:es|ed|ing)?|errors?|exceptions?|broken|breaks?|does(?: not|n['’]t)|do(?: not|n['’]t)|did(?: not|n['’]t)
  can(?: ?not|['’]t)|could(?: not|n['’]t)|won['’]t|will not|(?:is|are|was|were)(?: not|n['’]t)|not \w+ed|never|no longer|nothing|wrong\w*|incorrect\w*|missing|miss(?:es|ed)
  los(?:e|es|t|ing)|loss|hangs?|hung|stuck|fr(?:ee|o)z\w+|slow\w*|empty|blank|duplicat\w+|corrupt\w*|ignor(?:e|es|ed|ing)|leaks?|stops?|stopped|time(?:s|d)? ?out\w*|reject\w*
  unexpected\w*|refus\w+|disappear\w*|vanish\w*|garbled|stale|flicker\w*|too (?:long|many|much|late|early|small|large|big)|even though|although|twice|forever|again and again
  overwrit\w+|delet(?:es|ed)|denied|unable|impossible|invalid|outdated|unreadable|nowhere|truncated|cut off|off by|no \p{L}+|without \p{L}+
  fehler\w*|stürzt|absturz|nicht|kein\w*|fehlt|fehlen|falsch\w*|hängt|langsam|verloren|kaputt|bricht|abgebrochen|erreurs?|échou\w+|plante|pas|manqu\w+|perdus?|lente?|bloqu\w+
  falla\w*|fallo|no (?:se|funciona|puede|aparece|hay)|perdid\w+|se cierra|incorrect\w+`,
  'エラー|失敗|できない|できません|しない|しません|されない|されません|ない|落ち|クラッシュ|遅|消え|壊れ|おかしい|不具合|止ま|ません',
);

/** Matches phrases that describe the situation in which something happens. */
export const situationCue = cue(
  String.raw`when(?:ever)?|after|while|if|during|as soon as|every time|each time|once|upon|since|in version|with (?:a|an|the|version|more|two|many|\d+|\p{L}+ed)|where|on (?:windows|macos|linux|android|ios|ubuntu|chrome|firefox|safari|mobile)
  v?\d+\.\d+(?:\.\d+)*|by (?:clicking|opening|pressing)|clicking|opening|wenn|nachdem|sobald|während|beim|bei|seit|falls|quand|lorsque?|après|si|pendant|depuis|cuando|después|mientras|desde|al`,
  '時|とき|場合|の後|すると|たら|際|中に|なると',
);

/**
 * Detects a matter of degree, such as slowness or memory use. A bug of this kind does not imply how
 * the product should behave.
 */
export const degreeCue = cue(
  String.raw`slow\w*|cpu|memory|battery|disk space|grows?|growing|takes? (?:\p{L}+ )?(?:\d+|hours|minutes|long|forever|ages)|too (?:long|many|much|late|large|big|small)|(?:so|very) (?:long|many|much)|performance|latency|lag\w*|high load|hangs? for|langsam\w*|dauert|lente?|lento`,
  '遅|重い|時間がかか|メモリ|容量',
);

/** Matches phrases that state when something happens. Narrower than `situationCue`. */
export const occasionCue = cue(
  'when(?:ever)?|after|while|if|as soon as|every time|each time|once|wenn|nachdem|sobald|falls|quand|lorsque?|après|si|cuando|después|mientras',
  '時|とき|場合|の後|すると|たら|なると',
);

/** Matches phrases that describe the desired state. */
export const desiredStateCue = cue(
  String.raw`should(?:n['’]t)?|must(?:n['’]t)?|shall|expect(?:s|ed|ing|ation)?|ought|supposed to|needs? to|ha(?:s|ve) to|would (?:like|expect|want|be)|wants?|wish|ideally|required|let(?:s|['’]s)? (?:me|us|people|users)
  soll(?:te|ten|en)?|muss|müssen|erwart\w*|möchten?|wünsch\w+|devra\w+|doit|doivent|attendu\w*|souhait\w+|debe(?:n|r[íi]an?)?|deber[íi]an?|tiene que|esperad\w+|esperamos|quiero|queremos`,
  'べき|期待|はず|したい|ほしい|欲しい|必要|なければ|こと。|ください',
);

/** Matches phrases that describe the desired state in contrast to the actual state. */
export const contrastCue = cue(
  "instead(?: of)?|rather than|should(?:n['’]t)?|expect(?:s|ed)?|ought|supposed|used to|statt(?:dessen)?|soll(?:te|en)?|erwartet\\w*|au lieu|devrait|attendu|en lugar|debe(?:r[íi]a)?|esperad\\w+",
  'べき|期待|はず|代わり',
);

/** Matches mentions of the people concerned. */
export const peopleCue = cue(
  String.raw`users?|customers?|admin(?:istrator)?s?|people|persons?|anybody|anyone|everybody|everyone|somebody|someone|teams?|we|us|our|i|my|me|they|support|operators?|developers?|owners?|members?|guests?|visitors?|readers?|editors?|colleagues?|clients?|recipients?|accountants?|auditors?|managers?|organi[sz]ations?|compan(?:y|ies)|schools?|students?|newcomers?|maintainers?|testers?|those who
  nutzer\w*|benutzer\w*|kunden?|anwender\w*|wir|ich|uns|mitarbeiter\w*|utilisateurs?|nous|équipes?|usuarios?|clientes?|equipos?|nosotros`,
  'ユーザ|利用者|顧客|お客様|管理者|チーム|担当者|私',
);

/** Matches phrases that state the reason why the issue matters. */
export const reasonCue = cue(
  String.raw`because|so that|so (?:we|they|people|users|that|one|you|i|it)|in order to|otherwise|to avoid|which (?:means|makes|leads|causes|costs|is why)|this (?:costs|means|makes|leads|causes|is why)|that (?:costs|means|makes|is why)|los(?:e|es|t|ing)|loss|confus\w+|risk\w*|complain\w*|annoy\w*|blocks (?:us|me|our|everybody)|cannot work|waste\w*|hours|every (?:day|week|time|month|morning)|reason|since|makes it (?:hard|impossible|easier|easy)|easier|impact|security|important|compliance|legal\w*|money|trust|support (?:requests?|tickets?|cases?)|tickets|asked for|ask(?:s|ed)? (?:us|for|why)|requested|the point|hard to|difficult|painful|by mistake|accident\w*|forget|forgot|unsafe|danger\w*|cost(?:s|ly)?|expensive|saves?|want(?:s|ed)? to|as a result|today|currently|at the moment|right now|for now|helps?|think|thought|believe|notice\w*|surpris\w*|per (?:cent|week|day|month)|percent|of (?:our|all) (?:users|customers)|have to|has to|by hand|manually|without|the base for|for \p{L}+ing|no longer|(?:requests|tickets|reports|complaints) (?:this|a|per|last|each)|survey
  damit|weil|sonst|derzeit|aktuell|zurzeit|momentan|grund|um zu|heute|parce que?|afin|pour que|sinon|actuellement|aujourd['’]hui|porque|para que|actualmente|ya que|hoy|as[íi]`,
  'ため|ので|から|現在|困|理由|今は|ように',
);

/** Matches requests to create or change something. */
export const requestCue = cue(
  String.raw`add|allow|support|let|show|make|provide|introduce|enable|disable|remove|replace|change|rename|upgrade|update|migrate|document|offer|use|split|move|expose|store|write|create|limit|log|warn|keep|return|send|hide|display|implement|build|extend|improve|reduce|increase|drop|delete|check|test|run|set|give|handle|avoid|stop|prevent|accept|export|import|tell|mark|sort|filter|download|upload|remember|fix|publish|deprecate|clean up|refactor|measure|encrypt|rotate|cache|validate|want|need|would like|could you|please|feature request|as an? [\p{L} ]{2,40} i|bitte|hinzufügen|unterstütz\w+|ermöglich\w+|anzeigen|ajouter|permettre|afficher|supprimer|prendre en charge|añadir|permitir|mostrar|eliminar|agregar`,
  '追加|対応|変更|表示|削除|改善|実装|修正|できるように|してほしい|したい',
);

/** Matches phrases that name a quantity that can be verified. */
export const quantityCue = cue(
  String.raw`\d+(?:[.,]\d+)? ?(?:%|ms|s|secs?|seconds?|min|mins|minutes?|h|hours?|days?|weeks?|months?|years?|bytes?|[kmgt]i?b|px|pixels?|files?|folders?|items?|users?|times|requests?|rows?|entries|characters|chars|lines|pages?|results?|levels?|attempts?|retries|sekunden|minuten|stunden|tage|zeichen|dateien|secondes?|jours?|caractères|segundos|minutos|días|caracteres)|(?:within|for|after|every|per|in) (?:an?|one|two|three|four|five|six|ten|twelve|twenty|thirty) (?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)|[<>≤≥] ?\d+|at (?:most|least) \S+|(?:within|under|up to|exactly|no more than|höchstens|mindestens|au plus|au moins|como máximo|como mínimo) \d+|(?:status|http|code) ?\d{1,3}|[1-5]\d\d (?:error|response|status|\p{Lu}\w+)`,
  '\\d+ ?(?:秒|分|時間|日|件|回|文字|個|以上|以下|以内|％)',
);

/** Matches phrases that name a result that users can see. */
export const visibleResultCue = cue(
  // prose-exception: words that issues contain.
  `shows?|shown|displays?|displayed|appears?|returns?|returned|contains?|lists?|listed|opens?|closes?|says|reads|is (?:sent|saved|stored|created|deleted|removed|kept|written|logged|hidden|visible|enabled|disabled|rejected|accepted|ignored|possible|refused|unchanged|named|marked|counted|there|gone)|are (?:sent|saved|stored|created|deleted|removed|kept|written|logged|hidden|visible|enabled|disabled|rejected|accepted|ignored|refused|unchanged|named|marked|counted|there|gone)|stays?|remains?|can(?:not)?|works?|gets?|sends?|keeps?|finds?|answers?|responds?|passes|fails?|no longer|given|then|verify|check(?:s|ed)?|tests?|same|wird|werden|zeigt|erscheint|bleibt|kann|affiche|est|reste|peut|muestra|aparece|queda|puede`,
  'される|表示|なる|できる|返|保存|送信|残る',
);

/** Matches phrases that state a limit of the scope. */
export const scopeLimitCue = cue(
  String.raw`out of scope|not (?:in scope|included|part of|needed (?:here|now|yet)|about|meant|for (?:this|now))|isn['’]t part|non[- ]?goals?|does not (?:include|cover|change|touch|affect|concern)|doesn['’]t (?:include|cover|change|touch|affect)|do(?: not|n['’]t) (?:want|need|change|touch)|only (?:the|for|this|these|in|on|when|about|new|by|to|a|an|one)|nothing else|no changes? (?:to|in)|excluding|except(?: for)?|(?:is|are) un(?:affected|changed|touched)|(?:separate|another|different) (?:matter|question|topic|story)|is about .{1,60} only|keeps? (?:its|their|the (?:old|same))|leave\w* .{1,60}(?:alone|as (?:it|they) (?:is|are))|separate(?:ly)?|another (?:issue|ticket)|(?:its|their) own (?:issue|ticket)|in a follow[- ]?up|follow[- ]?up|later|stays? (?:as|the same|where)|for (?:a )?(?:first|start)|first (?:version|step|iteration)|limited to|without (?:changing|touching)|just (?:the|this|for|one|a)|(?:only|just) affects?|not affected|is fine|are fine|works? (?:fine|as expected|correctly)|unaffected
  nicht (?:enthalten|teil|betroffen|nötig)|nur|außer|ohne|lediglich|ausschließlich|hors (?:de )?(?:périmètre|portée)|uniquement|seulement|sauf|fuera de(?:l)? alcance|solo|sólo|solamente|excepto`,
  '対象外|範囲外|のみ|だけ|除く|以外|別途|今回は',
);

/** Matches requests without clear limits. */
export const unlimitedRequestCue = cue(
  String.raw`everything|all (?:of )?(?:the )?(?:screens|pages|places|parts|settings|features|code|modules|dialogs|texts)|overall|in general|generally|everywhere|whatever|whole|entire|complete(?:ly)? (?:new|re\w+)|re-?work\w*|re-?design\w*|re-?writ\w+|overhaul|revamp|etc|and so on|and more|while (?:we are|we['’]re|you are|you['’]re|at it)|at the same time|various|several|moderni[sz]e|things|stuff|many other|any other|a bunch|and also|better|improve(?:d|ments?)?|nicer|more (?:modern|intuitive|user[- ]friendly|robust|reliable)|best practices?|state of the art
  alles|überall|insgesamt|verbesser\w*|usw|generell|partout|améliorer|tout|todo el|mejorar|en general`,
  '全て|すべて|全体|全般|改善|など|いろいろ',
);

/** Matches phrases that state a dependency. */
export const dependenceCue = cue(
  String.raw`blocked (?:by|on|until)|blocks (?:this|it)|depend(?:s|ing|ed)? (?:up)?on|dependent on|waits? (?:for|on) #\d+|waiting (?:for|on)|(?:must|has to|have to|needs? to|should) wait|(?:only )?after #\d+|builds? (?:up)?on|on top of #\d+|prerequisite\w*|rel(?:y|ies) on|(?:can ?not|can['’]t|cannot be|can only|must not) (?:be )?(?:start|begin|go|ship|merge|done|built|finish|released?)\w* (?:before|until|when|after|once)|needs? .{1,60} (?:first|to be (?:done|there|finished|merged|released))|not before|before (?:we|this|it) can|part of #\d+|follow[- ]?up (?:to|of|from)|as (?:agreed|decided) (?:with|by|in)|needs? (?:the |an? )?(?:#\d+|decision|approval|sign-?off|go-?ahead)|requires? (?:#\d+|the \p{L}+ (?:team|service|api))|is (?:already )?(?:merged|released)|already (?:merged|released)|(?:see|since|from|with|uses|needs|by|in|on) (?:the .{1,40} (?:from|of|in) )?#\d+
  abhängig|hängt .{1,60} ab|wartet auf|setzt .{1,60} voraus|voraussetzung|blockiert (?:von|durch)|erst wenn|dépend\w*|bloqué\w* par|en attente|après #\d+|depende(?:n|r|mos)?|bloquead\w+ por|requiere|a la espera`,
  '依存|待ち|ブロック|前提|次第',
);

/** Matches phrases that state the absence of dependencies. */
export const independenceCue = cue(
  String.raw`no (?:other |known |open |outside |external )?(?:dependenc(?:y|ies)|blockers?|prerequisites?)|depend(?:s|encies:?)? (?:on )?(?:nothing|none)|nothing (?:blocks|to wait for|else (?:is )?needed|is needed|has to|needs to|must)|not blocked|does(?: not|n['’]t) (?:depend|need|wait|require) (?:on )?(?:any|another|other|anything)|independent(?:ly)?(?: of)?|can (?:start|begin|be (?:done|started|built|merged)) (?:now|right away|at once|any time|by itself|alone|independently|on its own)|needs nothing|waits for nothing|blocked by:? (?:nothing|none)|on its own|stand-?alone|self-contained|no (?:server|backend|api|database|schema|client|other) changes?|without (?:any )?(?:server|backend|api|schema|other) changes?
  keine (?:abhängigkeit\w*|voraussetzung\w*)|unabhängig|aucune dépendance|indépendant\w*|sin dependencias|independiente\w*`,
  '依存なし|依存関係なし|依存はありません|独立',
);

/** Matches phrases that mention the involvement of people or systems outside the team. */
export const externalPartyCue = cue(
  String.raw`third[- ]part(?:y|ies)|vendors?|upstream|external (?:team|service|partner|company|api)s?|legal (?:team|department|review)|lawyers?|design(?:er|ers| team)|(?:the |our |an?other )\p{L}+ team|(?:security|platform|infra(?:structure)?|data|mobile|backend|frontend|billing|operations|marketing|sales|support|finance|ops) team|partners?|app store|play store|certificate authority|payment (?:provider|processor)s?|translators?|procurement|data protection officer
  externe?\w*|drittanbieter|lieferant|rechtsabteilung|fournisseur|tiers|proveedor|terceros`,
  '外部|他チーム|ベンダ|法務|サードパーティ',
);

/** Matches phrases that state the cause of a problem. */
export const causeCue = cue(
  String.raw`because|caus(?:e|es|ed|ing)|due to|reason|culprit|comes? from|stems from|introduced (?:in|by|with)|regression|since (?:version|release|v?\d|#\d+|commit|we|upgrading|updating)|(?:began|started|begins) (?:with|after|in)|(?:worked|works|fine|ok|good) (?:in|with|until|before) (?:version )?v?\d|built without|bisect\w*|suspect|probably|presumably|likely|seems? (?:to|that|like)|looks? (?:like|as if)|apparently|turns out|race|deadlock|never (?:reset|cleared|closed|released|called|checked|updated)|is(?: not|n['’]t) (?:escaped|checked|reset|closed|called|updated|encoded|locked|cached|refreshed|awaited|normali[sz]ed|cleared)|treats?|assumes?|compares?|computes?|reads? the|forgets? to|hard-?coded
  ursache|liegt (?:an|daran)|wegen|vermutlich|wahrscheinlich|offenbar|à cause|probablement|semble|vient de|debido|probablemente|parece|causa`,
  '原因|おそらく|思われ|ようです|可能性',
);

/** Matches phrases that propose a possible solution. */
export const solutionCue = cue(
  String.raw`we (?:could|can|might|would|should|must)|we need (?!to (?:know|see|have|be|do)|this|it|that|you)\p{L}+|(?:you|i|one) (?:could|can|might|would)|could be (?:done|solved|fixed|stored|cached|moved|built)|propos\w*|suggest(?:ion|s|ed)?|solution|approach|implement\w*|by \p{L}+ing (?:the|a|an|it|them)|us(?:e|es|ing) (?:the|a|an|our|one) (?:\p{L}+ )?(?:component|library|function|table|index|queue|cache|job|endpoint|event|lock|flag|header|api|service|form|helper|same)|switch\w* (?:to|from)|replac(?:e|ing) (?:the|it|by|with|all)|re-?us(?:e|ing)|extend(?:ing)? the|same (?:way|as|approach|code|rule|component|pattern)|idea|decided|agreed|decision|add(?:ing)? (?:a|an|one) (?:\p{L}+ )?(?:column|table|field|endpoint|flag|option|setting|index|job|parameter|header|event|check|lock|timeout|retry|test)|wrap(?:ping)? (?:the|it)|debounce|throttl\w+|paginat\w+|back[- ]?off|retry|retries|batch(?:es|ing|ed)?|(?:new|extra|additional) (?:column|table|field|endpoint|flag|index|job|parameter|header|event|module|function)|feature flag|first .{1,120} then|it would be enough|(?:the|a) (?:clean |right |easy |real |proper )*(?:fix|way) (?:is|would)|patch|has to be (?:replaced|moved|read|called|checked|done|rebuilt)|instead of|move the
  vorschlag|lösung|könnten? (?:man|wir)|umsetz\w*|mit hilfe|ansatz|on pourrait|en utilisant|propuesta|podr[íi]amos|se puede|utilizando`,
  '案|方法|使って|使う|実装|追加すれば|変更すれば|することで|方針',
);

/** Matches phrases that name a part of a program that users see. */
export const visiblePartCue = cue(
  `(?:screen|page|dialog|menu|panel|sidebar|toolbar|button|field|form|view|list|tab|banner|widget|picker|editor|icon|tray|window|settings?|preferences|installer|e-?mail|notification|search|preview|link|folder|file|table|column|invoice|report|export|import|upload|download|app|client|server)s?
  seite|fenster|knopf|schaltfläche|liste|ordner|datei|einstellung(?:en)?|écran|bouton|fichier|dossier|pantalla|botón|archivo|carpeta`,
  '画面|ボタン|一覧|ファイル|フォルダ|設定|メール|検索',
);

/** Matches phrases that name a part of a program that only its developers know. */
export const internalPartCue = cue(
  String.raw`(?:module|component|class|function|method|endpoint|route|handler|worker|queue|middleware|cache|parser|schema|index|query|flag|header|watcher|scheduler|journal|database|backend|frontend|daemon|driver|engine|token|thread|socket|library|decoder|encoder|codec|buffer|lock|mutex|transaction|callback|listener|timer|pointer|offset|constant|variable|parameter|argument|exception|pool|cursor|feed|payload|timestamp|template|script|pipeline|resolver|rotation|process|request|response|record|row|hash|checksum|regex|serializer|migration|policy|cron ?job|job|event|proxy|load balancer|container|dependency|package|commit|branch|null|undefined|\d+-bit|utf-?8|nf[ck]d?|http|sql|json|xml|css|dom|jwt|cors|manifest|digest|byte|timeout|batch|round trip|retry|retrie)(?:e?s)?
  modul|komponente|klasse|funktion|datenbank|schnittstelle|zwischenspeicher|warteschlange|base de données|fonction|classe|base de datos|función|clase|módulo`,
  'モジュール|クラス|関数|テーブル|データベース|キャッシュ|キュー|コンポーネント|スレッド|処理',
);

/** Matches reports of personal experience, which do not describe the product. */
export const personalReportCue = cue(
  'i|me|my|mine|we|us|our|ours|you|your|colleagues?|please|thanks?|hello|ich|mir|mein\\w*|wir|uns|unser\\w*|bitte|je|nous|notre|nos|merci|yo|nosotros|nuestr\\w+|gracias',
  '私|弊社|お願い|ください',
);

/** Matches phrases that name an unknown or undecided point. */
export const openPointCue = cue(
  String.raw`not (?:sure|clear|decided|known|certain)|unsure|unclear|open questions?|to be (?:decided|defined|clarified|discussed|determined)|tb[dc]|(?:do(?: not|n['’]t)|does(?: not|n['’]t)|did(?: not|n['’]t)) know|no idea|unknown|undecided|maybe|perhaps|we could|ideas?|options?|alternatively|somehow|not yet|needs? (?:discussion|clarification|investigation|research|a decision|more thought)|investigat\w+|figure out|find out|decide (?:whether|if|how|what|which)|whether we|might|could be anything|i guess|i think|hard to (?:say|tell)|either|no steps|cannot reproduce|can['’]t reproduce|could not reproduce|not reproducible|sporadic\w*|randomly|intermittent\w*|sometimes|now and then|from time to time|occasionally|discuss
  unklar|offen|vielleicht|irgendwie|keine ahnung|zu klären|eventuell|manchmal|peut-être|pas clair|à définir|incertain|parfois|quizás?|tal vez|no está claro|por definir|a veces`,
  '不明|未定|かも|検討|わからない|分からない|たまに|時々|要確認',
);

/** Matches statements that are too vague to act on. */
export const vagueCue = cue(
  String.raw`somehow|something|stuff|things|nicer|better|improve(?:d|ments?)?|faster|more (?:intuitive|user[- ]friendly|modern|robust|reliable)|weird\w*|odd(?:ly)?|strange\w*|do(?:es)?(?: not|n['’]t) work|not working|broken|asap|please (?:fix|help|look)|etc|acts? up|funny|bad|ugly|terrible|annoying|not good|not great|sucks|a bit|kind of|sort of|a lot
  irgendwie|irgendwas|besser|komisch|schlecht|geht nicht|mieux|bizarre|mejor|raro|no funciona`,
  'なんか|もっと|変です|いい感じ|動かない',
);

/** Matches phrases that state the amount of work. */
export const workAmountCue = cue(
  String.raw`story ?points?:? ?\d+|\d+ (?:story ?)?points?|estimat(?:e|ed|ion) ?(?:[:=]|\d)|(?:we|i) estimate|\S+ (?:person[- ]?)?(?:days?|hours?|weeks?|sprints?) (?:of (?:work|effort)|left|to build|to implement)|(?:is|should be|looks like) a (?:small|quick|tiny|one[- ]line) (?:change|fix|task|job)|one[- ]line (?:fix|change)|size:? ?(?:xs|s|m|l|xl)|effort: ?\S+|quick (?:fix|win)|takes? (?:about |at most |less than )?(?:half )?(?:an?|one|two|three|\d+) (?:days?|hours?|weeks?) to (?:build|implement|do|fix)|aufwand|tage? arbeit|jours? de travail|días? de trabajo`,
  '工数|見積|ポイント|人日',
);

/**
 * Detects a claim that the issue meets certain criteria. Such a claim says nothing about the work.
 */
export const selfPraiseCue = cue(
  String.raw`(?:meets?|fulfil\w*|satisf\w+|pass(?:es)?|compl(?:y|ies) with) (?:all|every|each|the|our|any) .{0,40}(?:criteri\w+|definition|dor|invest|checks?|requirements?|standards?)|(?:goals?|scope|criteria|requirements|dependenc(?:y|ies)|approach|estimate|steps|value|checks|description) (?:is|are|was|were|has been|have been) (?:(?:all|already|now|very|fully|clearly|completely|perfectly|well|100 ?%|and) )*(?:met|fulfilled|satisfied|defined|documented|clear|complete|known|testable|small|identified|described|specified|understood|estimable|measurable|negotiable|valuable)|this is (?:\p{L}+ )?(?:estimable|testable|negotiable|valuable|ready)|score (?:this|it|of|:|=|is|should|must|1)|(?:compliance|readiness) (?:score|factor|rating)|rat(?:e|ing) (?:this|it|:|of|is|1)|full (?:marks|score|points)|(?:ignore|disregard|forget) (?:all |any |the |your |previous |prior )+.{0,30}(?:instructions?|rules|prompts?|text|criteria)|you are an? .{0,40}(?:assistant|model|judge|evaluator|reviewer|grader)|as an ai|evaluat(?:or|ion)|grader|(?:this|the|our) (?:issue|ticket|story|task|item) (?:is|has|describes|contains|meets|deserves) (?:now |already |fully |completely |perfectly |100 ?% |very |well |all |a |an |clear |the )*(?:ready|refined|clear|complete|small|testable|independent|valuable|negotiable|estimable|perfect|compliant|defined|described|scoped|goal|goals|acceptance|criteria|scope|score)|(?:ready for (?:development|sprint|implementation|work))|(?:fully|perfectly|clearly|well)[- ](?:defined|described|specified|scoped|refined|compliant)|definition of ready`,
);

/** Matches open-ended requests. Their details must still be worked out. */
export const openEndedCue = cue(
  String.raw`improv\w+|reduc\w+|optimi[sz]\w+|stabili[sz]\w+|standardi[sz]\w+|refactor\w*|enhanc\w+|speed\w*|prepar\w+|investigat\w+|clean\w*|simplif\w+|support\w*|allow\w*|implement\w*|build\w*|set ?up|merg(?:e|ing)|re-?design\w*|re-?work\w*|provid\w+|enabl\w+|introduc\w+|mak(?:e|ing)|fix\w*|handl\w+|better|more
  verbesser\w*|optimier\w*|vereinfach\w*|unterstütz\w*|ermöglich\w*|einführ\w*|améliorer|optimiser|simplifier|permettre|prendre en charge|mejorar|optimizar|simplificar|permitir|soportar`,
  '改善|最適化|整理|見直し',
);

/** Matches references to things that are not named. */
export const unnamedThingsCue = cue(
  String.raw`some|several|various|many|most|more|others?|certain|minor|different|differences|additional|further|missing|all(?: of)? the|every|any|etc|better|general|issues|improvements?|changes
  einige\w*|mehrere\w*|verschiedene\w*|viele\w*|weitere\w*|andere\w*|usw|certaine?s|plusieurs|divers\w*|autres?|quelques|algun[oa]s|vari[oa]s|much[oa]s|otr[oa]s`,
  'いくつか|いろいろ|様々|その他|など|全て|すべて',
);
