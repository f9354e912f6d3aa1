#!/usr/bin/env python3
"""Stands in for `glab`: as much of `glab auth status` and `glab api` as its source says, strict about options.

The file `hosts` beside it has a line per host: its name, the address of its interface, a token.
"""

import pathlib
import sys
import urllib.error
import urllib.request

HOSTS = dict((line.split()[0], line.split()[1:]) for line in (pathlib.Path(__file__).parent / "hosts").read_text().splitlines())
TAKES_VALUE = {"--hostname", "--method", "--header", "--input"}


def fail(text):
    sys.exit(f"ERROR: {text}")


def options(arguments):
    found, rest = {}, []
    arguments = iter(arguments)
    for word in arguments:
        if word in TAKES_VALUE:
            found.setdefault(word, []).append(next(arguments))
        elif word == "--include":
            found[word] = True
        elif word.startswith("-"):
            fail(f"Unknown flag: {word}")
        else:
            rest.append(word)
    return found, rest


def call(host, method, path, body, headers):
    address, token = HOSTS[host]
    url = path if "://" in path else f"{address}/api/v4/{path.lstrip('/')}"
    request = urllib.request.Request(url, data=body, method=method)
    request.add_header("PRIVATE-TOKEN", token)
    for header in headers:
        name, _, value = header.partition(":")
        request.add_header(name.strip(), value.strip())
    try:
        return urllib.request.urlopen(request, timeout=20)
    except urllib.error.HTTPError as error:
        return error


def status(found):
    host = found["--hostname"][0]
    if host not in HOSTS:
        fail(f"{host} has not been authenticated with glab. Run `glab auth login --hostname {host}` to authenticate.")
    if call(host, "GET", "user", None, []).status != 200:
        fail("could not authenticate to one or more of the configured GitLab instances.")


def api(found, rest):
    host = found["--hostname"][0]
    if ":" in host or "/" in host:
        fail("error parsing --hostname: invalid hostname.")
    body = sys.stdin.buffer.read() if found.get("--input") == ["-"] else None
    method = found.get("--method", ["POST" if body else "GET"])[0]
    (path,) = rest
    answer = call(host, method, path, body, found.get("--header", []))
    text = answer.read()
    out = sys.stdout.buffer
    if "--include" in found:
        out.write(f"HTTP/1.1 {answer.status} {answer.reason}\n".encode())
        for name in sorted(answer.headers.keys()):
            out.write(f"{name.title()}: {answer.headers[name]}\r\n".encode())
        out.write(b"\r\n")
    out.write(text)
    out.flush()
    if answer.status > 299:
        sys.stderr.write(f"glab: HTTP {answer.status}\n")
        sys.exit(1)


match sys.argv[1:]:
    case ["auth", "status", *arguments]:
        status(options(arguments)[0])
    case ["api", *arguments]:
        api(*options(arguments))
    case _:
        fail("Unknown command")
