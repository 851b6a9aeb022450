// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.http;

import io.packing.s3gateway.auth.ChecksumAlgorithm;
import io.packing.s3gateway.auth.ObjectBody;
import io.packing.s3gateway.objects.MultipartUploads;
import io.packing.s3gateway.objects.ObjectCopier;
import io.packing.s3gateway.objects.ObjectWriter;
import io.packing.s3gateway.objects.Upload;
import io.packing.s3gateway.objects.UploadCompletion;
import io.packing.s3gateway.objects.UserMount;
import io.packing.s3gateway.protocol.HttpDate;
import io.packing.s3gateway.protocol.ObjectRange;
import io.packing.s3gateway.protocol.S3Code;
import io.packing.s3gateway.protocol.S3Exception;
import io.packing.s3gateway.protocol.Utf8Order;
import io.packing.s3gateway.protocol.XmlElement;
import io.packing.s3gateway.protocol.XmlText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Uploads of objects in parts. */
public final class MultipartEndpoint {
    private final MultipartUploads uploads;
    private final UploadCompletion completion;
    private final CopyEndpoint copies;

    public MultipartEndpoint(MultipartUploads uploads, UploadCompletion completion, CopyEndpoint copies) {
        this.uploads = uploads;
        this.completion = completion;
        this.copies = copies;
    }

    void serve(S3Exchange exchange, UserMount mount, String bucket, String key) throws IOException {
        if (exchange.has("uploads")) {
            if (!exchange.method().equals("POST")) {
                throw new S3Exception(S3Code.METHOD_NOT_ALLOWED, "POST begins an upload");
            }
            begin(exchange, mount, bucket, key);
            return;
        }
        String id = exchange.query("uploadId").orElse("");
        switch (exchange.method()) {
            case "PUT" -> put(exchange, mount, bucket, uploads.find(mount, bucket, key, id));
            case "POST" -> complete(exchange, mount, bucket, key, id);
            case "GET" -> parts(exchange, mount, bucket, uploads.find(mount, bucket, key, id));
            case "DELETE" -> {
                uploads.abort(mount, uploads.find(mount, bucket, key, id));
                exchange.send(204);
            }
            default -> throw new S3Exception(S3Code.METHOD_NOT_ALLOWED, "the method is none for an upload");
        }
    }

    private void begin(S3Exchange exchange, UserMount mount, String bucket, String key) throws IOException {
        Optional<ChecksumAlgorithm> algorithm =
                exchange.header("x-amz-checksum-algorithm").flatMap(ChecksumAlgorithm::named);
        boolean isFull = Upload.isFullObject(exchange.header("x-amz-checksum-type"), algorithm);
        Upload upload = uploads.create(mount, bucket, key, GivenHeaders.attributes(exchange), algorithm, isFull);
        if (algorithm.isPresent()) {
            exchange.with("x-amz-checksum-algorithm", algorithm.get().name())
                    .with("x-amz-checksum-type", upload.checksumType());
        }
        exchange.send(new XmlText()
                .top("InitiateMultipartUploadResult")
                .add("Bucket", bucket)
                .add("Key", key)
                .add("UploadId", upload.id())
                .end("InitiateMultipartUploadResult"));
    }

    private void put(S3Exchange exchange, UserMount mount, String bucket, Upload upload) throws IOException {
        int number = number(exchange.query("partNumber").orElse(""));
        if (exchange.header("x-amz-copy-source").isPresent()) {
            copyPart(exchange, mount, upload, number);
            return;
        }
        ObjectBody body = exchange.object();
        if (body.length() > ObjectWriter.MOST_BYTES) {
            throw new S3Exception(
                    S3Code.ENTITY_TOO_LARGE, "a part has at most %,d bytes".formatted(ObjectWriter.MOST_BYTES));
        }
        ObjectWriter.Written written = uploads.put(mount, bucket, upload, number, body);
        written.sums().forEach((name, value) -> {
            if (!name.equals("x-amz-checksum-type")) {
                exchange.with(name, value);
            }
        });
        exchange.with("ETag", "\"" + written.etag() + "\"").send(200);
    }

    private void copyPart(S3Exchange exchange, UserMount mount, Upload upload, int number) throws IOException {
        ObjectCopier.Source source = copies.source(exchange, mount);
        Optional<String> header = exchange.header("x-amz-copy-source-range");
        long length = source.info().length();
        ObjectRange range =
                header.isPresent() ? ObjectRange.ofCopy(header.get(), length) : new ObjectRange(0, length - 1);
        String etag = uploads.copy(mount, upload, number, source, range);
        exchange.send(CopyEndpoint.result("CopyPartResult", etag, source.info().mtimeMillis()));
    }

    private static int number(String text) throws S3Exception {
        int number = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
        if (number < 1 || number > MultipartUploads.MOST_PARTS) {
            throw S3Exception.argument(
                    "the number of a part is '%.20s', want 1 to %d".formatted(text, MultipartUploads.MOST_PARTS));
        }
        return number;
    }

    private void complete(S3Exchange exchange, UserMount mount, String bucket, String key, String id)
            throws IOException {
        byte[] document = exchange.documentBesideSums(BucketEndpoint.MOST_DOCUMENT);
        List<UploadCompletion.Named> parts = named(XmlElement.parse(document, "CompleteMultipartUpload"));
        Optional<String> wanted = Optional.empty();
        for (ChecksumAlgorithm each : ChecksumAlgorithm.values()) {
            // The header is of the object here, and not of the body.
            wanted = wanted.or(() -> exchange.header(each.header()));
        }
        ObjectWriter.Written written;
        try {
            Upload upload = uploads.find(mount, bucket, key, id);
            written = completion.complete(mount, bucket, upload, parts, wanted, Conditions.ofWrite(exchange));
        } catch (S3Exception e) {
            if (e.code() != S3Code.NO_SUCH_UPLOAD) {
                throw e;
            }
            written = completion.completed(mount, bucket, key, id).orElseThrow(() -> e);
        }
        XmlText xml = new XmlText()
                .top("CompleteMultipartUploadResult")
                .add("Location", "/" + bucket + "/" + key)
                .add("Bucket", bucket)
                .add("Key", key)
                .add("ETag", "\"" + written.etag() + "\"");
        written.sums().forEach((name, value) -> {
            Optional<ChecksumAlgorithm> algorithm = ChecksumAlgorithm.ofHeader(name);
            xml.add(algorithm.map(ChecksumAlgorithm::element).orElse("ChecksumType"), value);
        });
        exchange.send(xml.end("CompleteMultipartUploadResult"));
    }

    private static List<UploadCompletion.Named> named(XmlElement request) throws S3Exception {
        List<UploadCompletion.Named> parts = new ArrayList<>();
        for (XmlElement part : request.all("Part")) {
            Optional<String> sum = Optional.empty();
            for (ChecksumAlgorithm each : ChecksumAlgorithm.values()) {
                sum = sum.or(() -> part.find(each.element()));
            }
            parts.add(new UploadCompletion.Named(
                    number(part.get("PartNumber").strip()), Conditions.bare(part.get("ETag")), sum));
        }
        if (parts.isEmpty() || parts.size() > MultipartUploads.MOST_PARTS) {
            throw new S3Exception(S3Code.MALFORMED_XML, "the request names %d parts".formatted(parts.size()));
        }
        return parts;
    }

    private void parts(S3Exchange exchange, UserMount mount, String bucket, Upload upload) throws IOException {
        int most = ListObjectsEndpoint.most(exchange, "max-parts");
        String marker = exchange.query("part-number-marker").orElse("0");
        int after = marker.matches("[0-9]{1,5}") ? Integer.parseInt(marker) : 0;
        List<MultipartUploads.Part> found = uploads.parts(mount, upload, after, most + 1);
        boolean isTruncated = found.size() > most;
        List<MultipartUploads.Part> page = isTruncated ? found.subList(0, most) : found;
        XmlText xml = new XmlText()
                .top("ListPartsResult")
                .add("Bucket", bucket)
                .add("Key", upload.key())
                .add("UploadId", upload.id());
        ListObjectsEndpoint.addOwner(xml, mount.user());
        xml.add("StorageClass", "STANDARD")
                .add("PartNumberMarker", after)
                .add(
                        "NextPartNumberMarker",
                        page.isEmpty() ? 0 : page.get(page.size() - 1).number())
                .add("MaxParts", most)
                .add("IsTruncated", isTruncated);
        for (MultipartUploads.Part part : page) {
            xml.begin("Part")
                    .add("PartNumber", part.number())
                    .add("LastModified", HttpDate.document(part.info().mtimeMillis()))
                    .add("ETag", "\"" + part.info().etag() + "\"")
                    .add("Size", part.info().length());
            part.info()
                    .sums()
                    .forEach((name, value) -> ChecksumAlgorithm.ofHeader(name)
                            .ifPresent(algorithm -> xml.add(algorithm.element(), value)));
            xml.end("Part");
        }
        exchange.send(xml.end("ListPartsResult"));
    }

    /** Lists the user's uploads to a bucket that have not ended. */
    void list(S3Exchange exchange, UserMount mount, String bucket) throws IOException {
        if (exchange.query("delimiter").filter(text -> !text.isEmpty()).isPresent()) {
            throw new S3Exception(S3Code.NOT_IMPLEMENTED, "uploads are listed without a delimiter");
        }
        int most = ListObjectsEndpoint.most(exchange, "max-uploads");
        String prefix = exchange.query("prefix").orElse("");
        String keyMarker = exchange.query("key-marker").orElse("");
        String idMarker = exchange.query("upload-id-marker").orElse("");
        UnaryOperator<String> encoding = ListObjectsEndpoint.encoding(exchange);
        List<Upload> all = new ArrayList<>();
        boolean isMarkerSeen = idMarker.isEmpty();
        for (Upload each : uploads.list(mount, bucket)) {
            int order = Utf8Order.INSTANCE.compare(each.key(), keyMarker);
            boolean isBehind = order > 0 || (order == 0 && !idMarker.isEmpty() && isMarkerSeen);
            isMarkerSeen |= order == 0 && each.id().equals(idMarker);
            if (isBehind && each.key().startsWith(prefix)) {
                all.add(each);
            }
        }
        boolean isTruncated = all.size() > most;
        List<Upload> page = isTruncated ? all.subList(0, most) : all;
        XmlText xml = new XmlText()
                .top("ListMultipartUploadsResult")
                .add("Bucket", bucket)
                .add("KeyMarker", encoding.apply(keyMarker))
                .add("UploadIdMarker", idMarker)
                .add("Prefix", encoding.apply(prefix));
        if (isTruncated && !page.isEmpty()) {
            Upload last = page.get(page.size() - 1);
            xml.add("NextKeyMarker", encoding.apply(last.key())).add("NextUploadIdMarker", last.id());
        }
        xml.add("MaxUploads", most).add("IsTruncated", isTruncated);
        for (Upload each : page) {
            xml.begin("Upload").add("Key", encoding.apply(each.key())).add("UploadId", each.id());
            ListObjectsEndpoint.addOwner(xml, mount.user());
            xml.add("StorageClass", "STANDARD")
                    .add("Initiated", HttpDate.document(each.beganMillis()))
                    .end("Upload");
        }
        exchange.send(xml.end("ListMultipartUploadsResult"));
    }
}
