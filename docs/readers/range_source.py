"""Ranged reads of a file, a URL or an object in S3, with the standard library only; for blob_reader.py."""
import datetime, hashlib, hmac, os, urllib.parse, urllib.request

ENV = os.environ.get


def signed(url, headers):
    """Adds the AWS Signature Version 4 of a GET without a body."""
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    host, path = urllib.parse.urlsplit(url)[1:3]
    sign = {"host": host, "x-amz-content-sha256": hashlib.sha256(b"").hexdigest(), "x-amz-date": now}
    if ENV("AWS_SESSION_TOKEN"):
        sign["x-amz-security-token"] = ENV("AWS_SESSION_TOKEN")
    names, scope = ";".join(sign), f"{now[:8]}/{ENV('AWS_REGION', 'us-east-1')}/s3/aws4_request"
    lines = "".join(f"{name}:{value}\n" for name, value in sign.items())
    request = f"GET\n{path}\n\n{lines}\n{names}\n{sign['x-amz-content-sha256']}"
    text = f"AWS4-HMAC-SHA256\n{now}\n{scope}\n{hashlib.sha256(request.encode()).hexdigest()}"
    mac = ("AWS4" + ENV("AWS_SECRET_ACCESS_KEY")).encode()
    for part in [*scope.split("/"), text]:
        mac = hmac.new(mac, part.encode(), hashlib.sha256).digest()
    credential = f"Credential={ENV('AWS_ACCESS_KEY_ID')}/{scope}, SignedHeaders={names}, Signature={mac.hex()}"
    return {**headers, **sign, "Authorization": "AWS4-HMAC-SHA256 " + credential}


class Source:
    """A file, an http(s) URL or an s3://bucket/key, read in ranges; its length is known after tail()."""

    def __init__(self, name):
        self.url, self.file, self.sign = name, None, name.startswith("s3://") and ENV("AWS_ACCESS_KEY_ID")
        if name.startswith("s3://"):
            endpoint = ENV("AWS_ENDPOINT_URL", f"https://s3.{ENV('AWS_REGION', 'us-east-1')}.amazonaws.com")
            self.url = endpoint.rstrip("/") + "/" + urllib.parse.quote(name[5:], safe="/-_.~")
        elif not name.startswith(("http://", "https://")):
            self.file, self.length = open(name, "rb"), os.path.getsize(name)

    def fetch(self, span):
        headers = {"Range": "bytes=" + span}
        request = urllib.request.Request(self.url, headers=signed(self.url, headers) if self.sign else headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            if answer.status != 206:
                raise OSError(f"the server ignores Range requests (status {answer.status})")
            self.length = int(answer.headers["Content-Range"].rsplit("/", 1)[1])
            return answer.read()

    def tail(self, count):
        return self.read(max(0, self.length - count), min(count, self.length)) if self.file else self.fetch(f"-{count}")

    def read(self, offset, count):
        if self.file:
            self.file.seek(offset)
        data = self.file.read(count) if self.file else self.fetch(f"{offset}-{offset + count - 1}")
        if len(data) != count:
            raise ValueError(f"{count} bytes at {offset} are not there")
        return data
