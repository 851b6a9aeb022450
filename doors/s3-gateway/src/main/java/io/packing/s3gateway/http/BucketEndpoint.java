// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.http;

import io.packing.bdt.FileStatus;
import io.packing.s3gateway.objects.MountBuckets;
import io.packing.s3gateway.objects.ObjectDeletion;
import io.packing.s3gateway.objects.ObjectListing;
import io.packing.s3gateway.objects.UserMount;
import io.packing.s3gateway.protocol.HttpDate;
import io.packing.s3gateway.protocol.S3Code;
import io.packing.s3gateway.protocol.S3Exception;
import io.packing.s3gateway.protocol.XmlElement;
import io.packing.s3gateway.protocol.XmlText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Requests about buckets, and about many objects of one. */
public final class BucketEndpoint {
    private static final int MOST_DELETED = 1_000;
    /** The longest document of a request: a thousand keys, each byte of them as a reference of XML. */
    static final int MOST_DOCUMENT = 8 << 20;

    /** Settings of buckets that the gateway does not have, with the answer to a client that asks for them. */
    private static final Map<String, S3Code> ABSENT = Map.of(
            "policy", S3Code.NO_SUCH_BUCKET_POLICY,
            "lifecycle", S3Code.NO_SUCH_LIFECYCLE_CONFIGURATION,
            "cors", S3Code.NO_SUCH_CORS_CONFIGURATION,
            "tagging", S3Code.NO_SUCH_TAG_SET,
            "website", S3Code.NO_SUCH_WEBSITE_CONFIGURATION,
            "object-lock", S3Code.OBJECT_LOCK_CONFIGURATION_NOT_FOUND,
            "encryption", S3Code.SERVER_SIDE_ENCRYPTION_CONFIGURATION_NOT_FOUND);

    private static final List<String> OTHERS = List.of(
            "accelerate",
            "analytics",
            "intelligent-tiering",
            "inventory",
            "logging",
            "metrics",
            "notification",
            "ownershipControls",
            "policyStatus",
            "publicAccessBlock",
            "replication",
            "requestPayment",
            "versions");

    private final MountBuckets buckets;
    private final ObjectDeletion deletion;
    private final ListObjectsEndpoint lists;
    private final MultipartEndpoint uploads;

    public BucketEndpoint(
            MountBuckets buckets, ObjectDeletion deletion, ObjectListing listing, MultipartEndpoint uploads) {
        this.buckets = buckets;
        this.deletion = deletion;
        this.lists = new ListObjectsEndpoint(listing);
        this.uploads = uploads;
    }

    /** Lists all buckets. */
    void list(S3Exchange exchange, UserMount mount) throws IOException {
        if (!exchange.method().equals("GET")) {
            throw new S3Exception(S3Code.METHOD_NOT_ALLOWED, "only GET lists buckets");
        }
        XmlText xml = new XmlText().top("ListAllMyBucketsResult");
        ListObjectsEndpoint.addOwner(xml, mount.user());
        xml.begin("Buckets");
        for (FileStatus each : buckets.list(mount)) {
            xml.begin("Bucket")
                    .add("Name", each.path().name())
                    .add("CreationDate", HttpDate.document(each.attributes().mtimeMillis()))
                    .end("Bucket");
        }
        exchange.send(xml.end("Buckets").end("ListAllMyBucketsResult"));
    }

    void serve(S3Exchange exchange, UserMount mount, String bucket) throws IOException {
        for (String other : OTHERS) {
            if (exchange.has(other)) {
                throw new S3Exception(S3Code.NOT_IMPLEMENTED, "the gateway has no %s of buckets".formatted(other));
            }
        }
        switch (exchange.method()) {
            case "GET" -> get(exchange, mount, bucket);
            case "HEAD" -> {
                buckets.check(mount, bucket);
                exchange.with("x-amz-bucket-region", region(exchange)).send(200);
            }
            case "PUT" -> put(exchange, mount, bucket);
            case "DELETE" -> delete(exchange, mount, bucket);
            case "POST" -> post(exchange, mount, bucket);
            default -> throw new S3Exception(S3Code.METHOD_NOT_ALLOWED, "the method is none for a bucket");
        }
    }

    private void get(S3Exchange exchange, UserMount mount, String bucket) throws IOException {
        for (Map.Entry<String, S3Code> each : ABSENT.entrySet()) {
            if (exchange.has(each.getKey())) {
                buckets.check(mount, bucket);
                throw new S3Exception(each.getValue(), "the bucket has none");
            }
        }
        if (exchange.has("location")) {
            buckets.check(mount, bucket);
            exchange.send(new XmlText().top("LocationConstraint").end("LocationConstraint"));
        } else if (exchange.has("versioning")) {
            buckets.check(mount, bucket);
            exchange.send(new XmlText().top("VersioningConfiguration").end("VersioningConfiguration"));
        } else if (exchange.has("acl")) {
            buckets.check(mount, bucket);
            sendOwnAcl(exchange, mount);
        } else if (exchange.has("uploads")) {
            uploads.list(exchange, mount, bucket);
        } else {
            lists.list(exchange, mount, bucket);
        }
    }

    /** Answers that the user has all rights: those of files are not told in words of S3. */
    static void sendOwnAcl(S3Exchange exchange, UserMount mount) throws IOException {
        XmlText xml = new XmlText().top("AccessControlPolicy");
        ListObjectsEndpoint.addOwner(xml, mount.user());
        exchange.send(xml.begin("AccessControlList").end("AccessControlList").end("AccessControlPolicy"));
    }

    private static String region(S3Exchange exchange) {
        // Any region is right; a client learns the one that it has named.
        String authorization = exchange.header("authorization").orElse("");
        String[] words = authorization.split("/", -1);
        return words.length >= 5 ? words[2] : "us-east-1";
    }

    private void put(S3Exchange exchange, UserMount mount, String bucket) throws IOException {
        refuseSettings(exchange);
        byte[] document = exchange.document(MOST_DOCUMENT);
        if (document.length > 0) {
            // Any region is taken.
            XmlElement unused = XmlElement.parse(document, "CreateBucketConfiguration");
        }
        buckets.create(mount, bucket);
        exchange.with("Location", "/" + bucket).send(200);
    }

    private void delete(S3Exchange exchange, UserMount mount, String bucket) throws IOException {
        refuseSettings(exchange);
        buckets.delete(mount, bucket);
        exchange.send(204);
    }

    private static void refuseSettings(S3Exchange exchange) throws S3Exception {
        for (String each : List.of(
                "acl",
                "versioning",
                "policy",
                "lifecycle",
                "cors",
                "tagging",
                "website",
                "object-lock",
                "encryption")) {
            if (exchange.has(each)) {
                throw new S3Exception(S3Code.NOT_IMPLEMENTED, "the gateway has no %s of buckets".formatted(each));
            }
        }
    }

    private void post(S3Exchange exchange, UserMount mount, String bucket) throws IOException {
        if (!exchange.has("delete")) {
            throw new S3Exception(S3Code.NOT_IMPLEMENTED, "uploads by forms of browsers are not taken");
        }
        if (exchange.header("content-md5").isEmpty()
                && exchange.header("x-amz-sdk-checksum-algorithm").isEmpty()
                && exchange.header("x-amz-trailer").isEmpty()
                && exchange.signed().headers().keySet().stream()
                        .noneMatch(name -> name.startsWith("x-amz-checksum-"))) {
            throw S3Exception.request("a deletion of several keys needs Content-MD5, or a checksum");
        }
        XmlElement request = XmlElement.parse(exchange.document(MOST_DOCUMENT), "Delete");
        boolean isQuiet = request.find("Quiet").orElse("").strip().equals("true");
        List<String> keys = new ArrayList<>();
        for (XmlElement each : request.all("Object")) {
            keys.add(each.get("Key"));
        }
        if (keys.isEmpty() || keys.size() > MOST_DELETED) {
            throw new S3Exception(
                    S3Code.MALFORMED_XML,
                    "the request names %,d keys, want 1 to %,d".formatted(keys.size(), MOST_DELETED));
        }
        Map<String, S3Exception> failures = deletion.deleteAll(mount, bucket, keys);
        XmlText xml = new XmlText().top("DeleteResult");
        for (String key : keys) {
            S3Exception failure = failures.get(key);
            if (failure != null) {
                xml.begin("Error")
                        .add("Key", key)
                        .add("Code", failure.code().text())
                        .add("Message", String.valueOf(failure.getMessage()))
                        .end("Error");
            } else if (!isQuiet) {
                xml.begin("Deleted").add("Key", key).end("Deleted");
            }
        }
        exchange.send(xml.end("DeleteResult"));
    }
}
