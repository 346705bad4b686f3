"""Prints what pip is about to install (a report of pip install --dry-run): which build of torch, from which file, and how large everything is."""

import json
import os
import ssl
import subprocess
import sys
import urllib.parse
import urllib.request


def ssl_context():
    """The certificates that pip is set to use, if any."""
    answer = subprocess.run([sys.executable, "-m", "pip", "config", "get", "global.cert"], capture_output=True, text=True, check=False)
    file = os.environ.get("PIP_CERT") or answer.stdout.strip()
    return ssl.create_default_context(cafile=file if os.path.exists(file) else None)


def size_of(url, context):
    """Bytes, or None when the index does not say."""
    parts = urllib.parse.urlsplit(url)
    try:
        if parts.scheme == "file":
            return os.path.getsize(urllib.request.url2pathname(parts.path))
        with urllib.request.urlopen(urllib.request.Request(url, method="HEAD"), timeout=10, context=context) as answer:
            return int(answer.headers["Content-Length"])
    except (OSError, TypeError, ValueError):
        return None


def megabytes(size):
    return "size unknown" if size is None else f"{size / 1e6:.0f} MB"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        items = json.load(file)["install"]
    context = ssl_context()
    sizes = [size_of(item["download_info"]["url"], context) for item in items]
    for item, size in zip(items, sizes):
        name, version = item["metadata"]["name"], item["metadata"]["version"]
        if name == "torch":
            file = urllib.parse.unquote(item["download_info"]["url"].rsplit("/", 1)[-1])
            print(f"PyTorch: the configured index gives torch {version}, {file}, {megabytes(size)}")
    known = sum(size for size in sizes if size is not None)
    unknown = sum(size is None for size in sizes)
    more = f", and {unknown} of unknown size" if unknown else ""
    print(f"together {len(items)} packages, {megabytes(known)}{more}; takes about {max(1, round(known / 1e7 / 60))} min at 10 MB/s")
    if any(item["metadata"]["name"].startswith(("nvidia-", "cuda-", "triton")) for item in items):
        print("WARNING: this is the CUDA build, gigabytes larger than needed here. For the CPU build point pip at an index that has it\n"
              "(pip config set global.index-url ..., or PIP_INDEX_URL); the addresses stand on PyTorch's \"Get Started\" page.")


if __name__ == "__main__":
    main()
