"""Words of chance beside what says that they are secret."""

import time

import pytest

from noctuary.redact import findings, redact

CHANCE = "x7Kq" + "Zt92mWb" + "Ls4RvYc" + "8HnJp3Fd"
HASH = "3f9a1c" * 6
UUID = "3f9a1c2b-" + "77d0-4e1f-9b3c-" + "0a1b2c3d4e5f"


@pytest.mark.parametrize(
    "text",
    [
        f"try token {CHANCE} again",
        f"here's my api key {CHANCE}",
        f"the secret key should be {CHANCE}",
        f"api_key: >-\n  {CHANCE}",
        f"use {CHANCE} as the api key",
        f"SetEnvironmentVariable('API_KEY','{CHANCE}','User')",
        f"our snyk token {UUID}",
        f"datadog app key {HASH}",
        f"here's the Twilio token you asked for:\n\n```\n{HASH}\n```",
        f"Use this Mailgun key: {HASH}",
        f"sorry, the key for Mailgun. it's {HASH}",
        f"La chiave API di Datadog è {HASH} per ora",
        f"A chave de API do Slack é {CHANCE}, usa no deploy",
        f"Der API-Schlüssel von Stripe ist {CHANCE} und gilt bis Mai",
        f"Klucz API Heroku: {UUID}",
        f"De API-sleutel van Heroku is {UUID} voor nu",
        f"Ключ API для Twilio — {HASH}",
        f"Slack 的 API 密钥是 {HASH}，先用这个。",
        f"Datadog の API キーは {HASH} です。",
        f"(Pdb) p settings.auth_secret\n'{CHANCE}'\n(Pdb) c",
        f"OTP_SEED={'V3BIDWBD3JHZUIZM' * 2}",
    ],
)
def test_what_is_said_to_be_a_secret_goes(text: str) -> None:
    """A long word of chance goes where its line, or the line that announces it, says what it is."""
    left = redact(text)

    assert "[redacted:" in left
    assert not any(secret in left for secret in (CHANCE, HASH, UUID))


@pytest.mark.parametrize(
    "text",
    [
        f"order {CHANCE} was paid",
        f"the cache key {HASH} was restored",
        f"golang.org/x/oauth2 v0.15.0 h1:{CHANCE}=",
        f"Idempotency-Key: {UUID}",
        f"the next page token {CHANCE}",
        f"https://design.example/file/{CHANCE}/password-page",
        f"commit {HASH} renames the token",
        f"The key for this page is {HASH}",
        f"Redis key: {HASH}",
        f"Cache restored from key: node-cache-Linux-x64-npm-{HASH}",
        f"The page has these checksums:\n\n```\n{HASH}\n```",
        f">>> item.primary_key\n'{UUID}'",
        "JwtTokenProviderV2Configuration3 creates the token OAuth2AccessTokenResponseClient2Impl",
    ],
)
def test_hashes_ids_and_names_stay(text: str) -> None:
    """What nobody calls a secret is none, however it looks, and neither are names."""
    assert redact(text) == text


@pytest.mark.parametrize("piece", ["aB", "Ab1", "key Ab3dE", "A/", "aa-1_"])
def test_no_text_makes_it_slow(piece: str) -> None:
    """The time is linear in the text, whatever it repeats."""
    began = time.process_time()
    findings("token " + piece * 700)
    findings("token " + piece * 30_000)

    assert time.process_time() - began < 2.0
