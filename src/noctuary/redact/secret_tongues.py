"""What people call a password in other languages, and how they go on to say what it is; data for `redact`.

Tables as those of `token_forms`; words of letters that English has not are looked for only where a text has such.
"""

_TOLD = r"""["'`“‘]?((?:(?![.,;:?)\]}]{1,4}(?:\s|\Z)|\\+["'])[^\s"'`“”‘’」』]){6,4096}+)"""
_ENDED = r"""(?=[.,;:!?)\]}"'`“”‘’]|\s*\Z|[ ]*\n|[ ](?:and|but|for|on|at)\b)"""

# Of languages where a text has letters that English has not; words behind the name may be there or not.
_TONGUES = (
    *("ontraseña", "hasło", "Hasło", "şifre", "ösenord", "jelszó", "mật khẩu"),
    *("пароль", "Пароль", "密码", "密碼", "口令", "パスワード", "비밀번호", "รหัสผ่าน", "סיסמה", "كلمة المرور"),
)
_THEN = (
    r"(?:[ ]?(?:es|est|é|è|ist|lautet|is|jest|je|は|是|为|為|는|은)(?=[ 「『“]))?"
    r"[ ]{0,2}(?:[:=：–—→]|-{1,2}>?)?[ ]{0,2}"
)
# Whose password it is may stand between, if a verb or a colon goes on to say what it is.
_THEN_OF = (
    r"[^\s\d:=]{0,6}(?:[ ][^\s\d:=\"'`]{1,14}){0,5}?"
    r"(?:[ ]?[:：=]|[ ](?:es|est|é|è|ist|lautet|is|jest|to|je|är|er|on|là|это)(?=[ ])|[是는은は])[ ]{0,2}"
)


def _in_tongue(word: str) -> str:
    spaced = word.replace(" ", "[ ]")
    ended = "(?![A-Za-z0-9+/_])" if word.isascii() else ""  # or lines of base64 have such words within
    rows = [
        f"password {check} {spaced}{ended}{_THEN}[「『]?(?=[!-~]{{6}}){_TOLD}{end}"
        for check, end in (("told", ""), ("named", _ENDED), ("plain", ""))
    ]
    rows += [
        f"password {check} {spaced}{_THEN_OF}(?=[!-~]{{6}}){_TOLD}{end}"
        for check, end in (("plain", ""), ("told", _ENDED), ("named", _ENDED))
    ]
    if not word.isascii():  # in a sentence of other letters what has ours is no word of it
        rows.append(
            f"password plain {spaced}[^\\x00-\\x7f]{{0,6}}(?:[ ][^\\x00-\\x7f]{{1,14}}){{0,3}}[ ](?=[!-~]{{6}}){_TOLD}"
        )
    return "\n".join([f"gate {word.replace(' ', '␣')} {spaced}", *rows])


IN_FOREIGN_LETTERS = tuple(map(_in_tongue, _TONGUES))
_PLAIN_TONGUES = (
    *("achtwoord", "ennwort", "enha", "eslo", "lave", "salasana", "passord", "adgangskode", "parola", "ot de passe"),
    *("asswort", "mdp"),
)
IN_PLAIN_LETTERS = tuple(map(_in_tongue, _PLAIN_TONGUES))
