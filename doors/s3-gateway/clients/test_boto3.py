# SPDX-License-Identifier: Apache-2.0
"""boto3, against both gateways of a mount."""

from __future__ import annotations

import hashlib
import io
import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from boto3.s3.transfer import TransferConfig
from botocore.exceptions import ClientError

from conftest import Gateways


def test_what_one_gateway_wrote_the_other_one_reads(gateways: Gateways, bucket: str) -> None:
    body = os.urandom(50_000)
    etag = gateways.client(0).put_object(Bucket=bucket, Key="a/b", Body=body, Metadata={"k": "v"})["ETag"]
    got = gateways.client(1).get_object(Bucket=bucket, Key="a/b")
    assert got["Body"].read() == body
    assert got["ETag"] == etag == f'"{hashlib.md5(body).hexdigest()}"'
    assert got["Metadata"] == {"k": "v"}


def test_an_upload_that_one_gateway_began_the_other_one_ends(gateways: Gateways, bucket: str) -> None:
    one, other = gateways.client(0), gateways.client(1)
    upload = one.create_multipart_upload(Bucket=bucket, Key="parts")["UploadId"]
    body = os.urandom(5 << 20)
    parts = []
    for number, client in ((1, one), (2, other)):
        part = client.upload_part(Bucket=bucket, Key="parts", UploadId=upload, PartNumber=number, Body=body)
        parts.append({"PartNumber": number, "ETag": part["ETag"]})
    other.complete_multipart_upload(Bucket=bucket, Key="parts", UploadId=upload, MultipartUpload={"Parts": parts})
    assert one.get_object(Bucket=bucket, Key="parts")["Body"].read() == body + body


@pytest.mark.parametrize("checksums", ["when_supported", "when_required"])
def test_transfers_of_all_sizes_come_back(gateways: Gateways, bucket: str, checksums: str) -> None:
    client = gateways.client(request_checksum_calculation=checksums, response_checksum_validation=checksums)
    config = TransferConfig(multipart_threshold=8 << 20, multipart_chunksize=8 << 20)
    for size in (0, 1, 8192, 1 << 20, (20 << 20) + 7):
        body = os.urandom(size)
        client.upload_fileobj(io.BytesIO(body), bucket, f"size/{size}", Config=config)
        got = io.BytesIO()
        client.download_fileobj(bucket, f"size/{size}", got, Config=config)
        assert got.getvalue() == body


def test_of_many_creators_one_wins(gateways: Gateways, bucket: str) -> None:
    clients = [gateways.client(number % 2) for number in range(8)]

    def create(number: int) -> bool:
        try:
            clients[number].put_object(Bucket=bucket, Key="once", Body=str(number), IfNoneMatch="*")
            return True
        except ClientError as error:
            assert error.response["Error"]["Code"] in ("PreconditionFailed", "ConditionalRequestConflict")
            return False

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(create, range(8))) == 1


def test_presigned_urls_and_forms_of_pages(gateways: Gateways, bucket: str) -> None:
    client = gateways.client()
    for number in range(25):
        client.put_object(Bucket=bucket, Key=f"d{number % 5}/k{number:02d} ü", Body=b"x")
    keys = [
        each["Key"]
        for page in client.get_paginator("list_objects_v2").paginate(Bucket=bucket, PaginationConfig={"PageSize": 4})
        for each in page["Contents"]
    ]
    assert keys == sorted(keys) and len(keys) == 25
    rolled = client.list_objects_v2(Bucket=bucket, Delimiter="/")
    assert [each["Prefix"] for each in rolled["CommonPrefixes"]] == [f"d{number}/" for number in range(5)]
    first = [page["Contents"] for page in client.get_paginator("list_objects").paginate(Bucket=bucket, MaxKeys=7)]
    assert sum(map(len, first)) == 25
    client.delete_objects(Bucket=bucket, Delete={"Objects": [{"Key": key} for key in keys]})
    assert "Contents" not in client.list_objects_v2(Bucket=bucket)


def test_errors_have_their_codes(gateways: Gateways, bucket: str) -> None:
    client = gateways.client()
    for call, code in (
        (lambda: client.get_object(Bucket=bucket, Key="none"), "NoSuchKey"),
        (lambda: client.head_bucket(Bucket="no-such-bucket"), "404"),
        (lambda: client.get_object(Bucket="no-such-bucket", Key="k"), "NoSuchBucket"),
        (lambda: client.get_bucket_policy(Bucket=bucket), "NoSuchBucketPolicy"),
        (lambda: client.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"}), "NotImplemented"),
    ):
        with pytest.raises(ClientError) as error:
            call()
        assert error.value.response["Error"]["Code"] == code
