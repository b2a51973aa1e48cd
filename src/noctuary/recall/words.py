"""Words that say little about what is looked for; data, kept apart from the code that uses it."""

# Words that carry no topic.  They are dropped, unless the query has nothing else.
STOP_WORDS = frozenset(
    """
    a about after all also am an and any are as at be because been before being both but by can could d did do does
    doing don down during each few for from further had has have having he her here hers him his how i if im in into
    is isn it its itself just let ll m may me might more most must my myself no nor not now of off on once one only or
    other our ours out over own re s same shall she should so some such t than that the their them then there these
    they this those through to too under until up us ve very was wasn we were what when where which while who whom
    why will with won would you your yours
    """.split()  # noqa: SIM905 - a block of words reads better than a list of quoted ones
)

# Words people ask *with* rather than *about*: "do you remember how many times we actually talked about …".
ASKING_WORDS = frozenset(
    """
    actual actually along already always amount another anybody anyone anything around ask asked asks back best besides
    bit came change changed chat come comes conversation current currently different discuss discussed earlier earliest
    else even ever every everything exactly find first found gave get give given go going good got happen happened help
    however instead interesting kind know last latest like look looked lot made make makes many maybe mean mention
    mentioned much need never new nothing number often order ourselves part past please previous previously put
    quite rather real really recall recent recently recommend recommended remember remind right said say says second
    seem set show side someone something sometimes sort sorts still stuff suggest suggested take taken talk talked tell
    thing things think third thought three time times told took total tried try two type use used useful want wanted way
    went whether whole without yet
    """.split()  # noqa: SIM905
)

# The same in other languages, as they are written; none that is an English word, a command or the name of a format.
# Those in plain Latin letters count only in a query that is not English.
OTHER_STOP_WORDS = frozenset(
    """
    aber als auch auf aus bei das dass der dich durch ein eine einem einen einer eines für gegen haben habe
    hatte hatten ich ihr ist kein keine mich mit nach nicht noch nur oder seit sich sie sind über und uns unser
    vom von vor warum wann wegen weil welche welcher wenn wer wie wir wird wurde wurden zu zum zur während au
    aux avec avons avait ce ces cette dans de elle en est et été était il ils je la le les leur lui mais notre
    nous où ou pourquoi qu que quel quelle qui sans si sont un une votre vous après como cómo cuál cuando cuándo
    del dónde ella ellos esa eso esta está este esto fue los más muy nuestro para pero por porque qué quién
    se sobre también tanto después antes desde hasta ao aos às da dela dele ela eles essa esse foi isso isto já
    na não nas nossa nosso pelo pois quando quem quê são seu sua também tinha uma você depois até bir bunu çok
    daha değil diye gibi hangi için ile mı mü nasıl neden nerede niye olan olarak oldu şu veya sonra önce kadar
    bardzo bez był była było były czy dla dlaczego gdy gdzie jak jaki jakie jest już lub mamy między mnie nasz
    nie niż przed przez przy są się sobie tego za że adalah akan apa atau bagaimana bahwa belum berapa bisa dari
    dengan di itu jadi juga kami kapan karena kenapa kita lagi mengapa mereka oleh pada saat saja sampai sudah
    tapi telah tidak untuk waktu yang bị các cái chúng có của cũng đã đang để đến đi được gì khi không là lại
    làm mà mình một này nào nên những ở phải rằng rồi sẽ tại thế thì tôi trong từ và vẫn vào vậy về vì với а без
    бы был была были было в вам вас во вот все всё где да для до его ее её если есть ещё же за и из или им их к
    как какая какие какой когда кто ли мне мы на над нам нас не него нет ни но о об он она они оно от по под
    почему при с со так такой там то тоже только ты у уже что чтобы эта эти это этот я после перед через або але
    би був була були було вже ви від він вона вони воно де з зі його її із коли ми має мене ні про під після
    свого свій своя та також те ти тому усе хто це цей ця чи чому що щоб як яка який які αν αλλά από για γιατί
    δεν εγώ είναι είχε εμείς ένα ένας έχει ή η ήταν θα και κάθε κάτι με μας μη μην μια να ο οι όμως όταν όχι
    πάλι πιο ποια ποιο ποιος που πού πριν προς πώς πως σας σε στα στη στην στις στο στον στους τα τη την της τι
    τις το τον του τους των ως אבל אותו אותה אותם אז אחרי איך איפה אל אם אנחנו אני את אתה באיזה בגלל בין בלי גם
    היא הוא היה היו הם הן זאת זה זו יותר יש כי כל כמה כן כבר לא לגבי לי לו לנו למה לפני מדוע מה מי מתי עד על עם
    פה רק של שלנו أم أن أنا أنت أو أي أين إذا إلى إن التي الذي الذين ألا بعد بين تم ثم حتى حول حيث ذلك على عن
    عند عندما فقط في قبل قد كان كانت كل كم كما كيف لا لأن لقد لكن لم لماذا لن ليس ما متى مع من منذ نحن هذا هذه
    هل هم هناك هو هي و يكون است از اگر اما این آن با باید بود برای بر به تا چرا چطور چه چون چی خود در درباره را
    روی شد شده شود که کجا کدام کرد کردن کردیم کسی کن کی هر همه وقتی ولی یا یک अपना अपने अब और इस इसे उन उस उसे
    एक ऐसा कब कर करके करना करो कहाँ का कि कितना कितने किया किस की कुछ के को कोई कौन क्या क्यों गया जब जो तक
    तब तो था थी थे दिया दो नहीं ने पर फिर बाद बारे भी में मैं यह यही या ये रहा रही रहे लिए वह वे से हम हमारा
    हमारे हमें हुआ हुई हूँ है हैं हो होता होना होने আমরা আমাদের আমি আর আছে এ এই এক একটি এটা এবং এর ও কখন করা করে
    করতে কি কী কে কেন কেমন কোথায় কোন গেলে জন্য তা তাই তার তাতে থেকে দিয়ে না নিয়ে নিয়েছিলাম পরে পর্যন্ত যে যা
    সে সেই হয় হয়েছে হয়েছিল হলে হবে হচ্ছে
    """.split()  # noqa: SIM905
)

# Characters of grammar in Chinese: a pair with one of them says little, and one of two of them nothing.
CHINESE_GRAMMAR = frozenset(
    "的了是在和与就都也很把被这那這我你他她们們吗嗎呢么麼什怎为為会會能要不没沒有多少个個还還又再让讓给給从從到对對之以后後"
)

# A question with one of these asks for a reason …
WHY_WORDS = frozenset(
    ["why", "reason", "reasons", "decide", "decided", "decision", "reject", "rejected", "warum", "pourquoi"]
)

# … a message with one of these may give it …
REASON_WORDS = (
    "because", "reason", "so that", "in order to", "root cause", "caused by", "due to", "otherwise", "not worth",
    "trade-off", "tradeoff", "rather than", "instead of", "weil ", "parce que", "porque",
)  # fmt: skip

# … and one with these says what came of it.
DECISION_WORDS = (
    "decision", "decided", "we decide", "rejected", "i reject", "let's go with", "we go with", "we'll go with",
    "we keep ", "i'd rather", "entschieden", "décidé", "decidido",
)  # fmt: skip
