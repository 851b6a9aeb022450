// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.http;

import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.registry.web.BodyStream;
import io.packing.s3gateway.auth.ObjectBody;
import io.packing.s3gateway.objects.KeyPaths;
import io.packing.s3gateway.objects.ObjectAttributes;
import io.packing.s3gateway.objects.ObjectDeletion;
import io.packing.s3gateway.objects.ObjectWriter;
import io.packing.s3gateway.objects.StoredObject;
import io.packing.s3gateway.objects.UserMount;
import io.packing.s3gateway.protocol.ObjectRange;
import io.packing.s3gateway.protocol.S3Code;
import io.packing.s3gateway.protocol.S3Exception;
import io.packing.worker.api.PackingInput;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Requests about an object. */
public final class ObjectEndpoint {
    private static final int BUFFER = 1 << 20;
    private static final String OCTETS = "binary/octet-stream";

    /** Sub-resources of objects that the gateway does not have. */
    private static final List<String> OTHERS =
            List.of("attributes", "legal-hold", "restore", "retention", "select", "torrent", "versionId");

    private final KeyPaths paths;
    private final ObjectWriter writer;
    private final ObjectDeletion deletion;
    private final CopyEndpoint copies;
    private final TagEndpoint tags;
    private final MultipartEndpoint uploads;

    public ObjectEndpoint(
            KeyPaths paths,
            ObjectWriter writer,
            ObjectDeletion deletion,
            CopyEndpoint copies,
            TagEndpoint tags,
            MultipartEndpoint uploads) {
        this.paths = paths;
        this.writer = writer;
        this.deletion = deletion;
        this.copies = copies;
        this.tags = tags;
        this.uploads = uploads;
    }

    void serve(S3Exchange exchange, UserMount mount, String bucket, String key) throws IOException {
        for (String other : OTHERS) {
            boolean isNullVersion = other.equals("versionId")
                    && exchange.query(other).filter("null"::equals).isPresent();
            if (exchange.has(other) && !isNullVersion) {
                throw new S3Exception(S3Code.NOT_IMPLEMENTED, "the gateway has no %s of objects".formatted(other));
            }
        }
        if (exchange.has("uploadId") || exchange.has("uploads")) {
            uploads.serve(exchange, mount, bucket, key);
            return;
        }
        if (exchange.has("tagging")) {
            tags.serve(exchange, mount, bucket, key);
            return;
        }
        switch (exchange.method()) {
            case "GET", "HEAD" -> get(exchange, mount, bucket, key);
            case "PUT" -> put(exchange, mount, bucket, key);
            case "DELETE" -> {
                deletion.delete(mount, bucket, key);
                exchange.send(204);
            }
            default -> throw new S3Exception(S3Code.METHOD_NOT_ALLOWED, "the method is none for an object");
        }
    }

    private void put(S3Exchange exchange, UserMount mount, String bucket, String key) throws IOException {
        if (exchange.has("acl")) {
            throw new S3Exception(S3Code.NOT_IMPLEMENTED, "rights are those of the mount: set owner, group and mode");
        }
        if (exchange.header("x-amz-copy-source").isPresent()) {
            copies.copy(exchange, mount, bucket, key);
            return;
        }
        ObjectBody body = exchange.object();
        if (body.length() > ObjectWriter.MOST_BYTES) {
            throw new S3Exception(
                    S3Code.ENTITY_TOO_LARGE,
                    "one request makes an object of at most %,d bytes: upload it in parts"
                            .formatted(ObjectWriter.MOST_BYTES));
        }
        ObjectWriter.Written written =
                writer.put(mount, bucket, key, body, GivenHeaders.attributes(exchange), Conditions.ofWrite(exchange));
        written.sums().forEach(exchange::with);
        exchange.with("ETag", "\"" + written.etag() + "\"").send(200);
    }

    private void get(S3Exchange exchange, UserMount mount, String bucket, String key) throws IOException {
        if (exchange.has("acl")) {
            LocatedFile unused = find(mount, bucket, key);
            BucketEndpoint.sendOwnAcl(exchange, mount);
            return;
        }
        LocatedFile file = find(mount, bucket, key);
        StoredObject object = mount.info(key, file);
        addHeaders(exchange, object);
        Conditions.checkRead(exchange, object);
        Optional<ObjectRange> part =
                exchange.has("partNumber") ? Optional.of(partOf(exchange, object)) : Optional.empty();
        Optional<ObjectRange> range = part.isPresent()
                ? part.filter(each -> each.count() < object.length())
                : exchange.header("range").isPresent()
                        ? ObjectRange.of(exchange.header("range").get(), object.length())
                        : Optional.empty();
        if (range.isEmpty()
                && exchange.header("x-amz-checksum-mode")
                        .filter("ENABLED"::equalsIgnoreCase)
                        .isPresent()) {
            object.sums().forEach(exchange::with);
        }
        String type = exchange.query("response-content-type")
                .orElse(object.attributes().headers().getOrDefault("content-type", OCTETS));
        range.ifPresent(each ->
                exchange.with("Content-Range", "bytes %d-%d/%d".formatted(each.first(), each.last(), object.length())));
        int status = range.isPresent() ? 206 : 200;
        ObjectRange all = range.orElseGet(() -> new ObjectRange(0, object.length() - 1));
        if (exchange.isHead()) {
            exchange.begin(status, type, all.count()).close();
        } else {
            send(exchange, mount, file, all, status, type);
        }
    }

    private LocatedFile find(UserMount mount, String bucket, String key) throws IOException {
        Optional<LocatedFile> found = mount.locate(paths.path(paths.bucket(bucket), key));
        if (found.isEmpty() && mount.files().bdt().stat(paths.bucket(bucket)).isEmpty()) {
            throw S3Exception.noSuchBucket(bucket);
        }
        return found.orElseThrow(() -> S3Exception.noSuchKey(key));
    }

    private static void addHeaders(S3Exchange exchange, StoredObject object) {
        exchange.with("ETag", "\"" + object.etag() + "\"")
                .with("Last-Modified", object.lastModified())
                .with("Accept-Ranges", "bytes");
        for (Map.Entry<String, String> each : object.attributes().headers().entrySet()) {
            // The attributes are extended ones of a file, which programs of other doors can write, too.
            boolean isKnown = GivenHeaders.OF_CONTENT.contains(each.getKey())
                    || each.getKey().startsWith(ObjectAttributes.USER_HEADER);
            if (isKnown && !each.getKey().equals("content-type")) {
                exchange.with(each.getKey(), each.getValue());
            }
        }
        for (String name : GivenHeaders.OF_CONTENT) {
            exchange.query("response-" + name)
                    .filter(value -> !name.equals("content-type"))
                    .ifPresent(value -> exchange.with(name, value));
        }
        int count = TagEndpoint.count(object.attributes().tags());
        if (count > 0) {
            exchange.with("x-amz-tagging-count", Integer.toString(count));
        }
    }

    /** Returns the bytes of a part of an object that was uploaded in parts; of any other object, part 1 is the whole. */
    private static ObjectRange partOf(S3Exchange exchange, StoredObject object) throws S3Exception {
        String text = exchange.query("partNumber").orElse("");
        int number = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
        List<Long> lengths = object.partLengths();
        if (number < 1 || number > lengths.size()) {
            throw new S3Exception(
                    S3Code.INVALID_RANGE, "the object has %d parts, and no part %.20s".formatted(lengths.size(), text));
        }
        if (lengths.size() > 1) {
            exchange.with("x-amz-mp-parts-count", Integer.toString(lengths.size()));
        }
        long first = lengths.subList(0, number - 1).stream()
                .mapToLong(Long::longValue)
                .sum();
        return new ObjectRange(first, first + lengths.get(number - 1) - 1);
    }

    private static void send(
            S3Exchange exchange, UserMount mount, LocatedFile file, ObjectRange range, int status, String type)
            throws IOException {
        Optional<byte[]> recent = mount.recent().get(file.status().version());
        if (recent.isPresent()) {
            BodyStream out = exchange.begin(status, type, range.count());
            out.write(recent.get(), (int) range.first(), (int) range.count());
            out.close();
            return;
        }
        // Opened and read first: a failure is still an answer then.
        try (PackingInput input = mount.files().open(file)) {
            ByteBuffer buffer = ByteBuffer.allocate((int) Math.max(1, Math.min(BUFFER, range.count())));
            long at = range.first();
            read(input, at, range, buffer);
            if (file.placement() instanceof Placement.Buffered
                    && buffer.position() == file.status().attributes().length()) {
                mount.recent().put(file.status().version(), Arrays.copyOf(buffer.array(), buffer.position()));
            }
            BodyStream out = exchange.begin(status, type, range.count());
            while (at <= range.last()) {
                out.write(buffer.array(), 0, buffer.position());
                at += buffer.position();
                read(input, at, range, buffer);
            }
            out.close();
        }
    }

    /** Fills the buffer with the next bytes of a range, as far as there are any. */
    private static void read(PackingInput input, long at, ObjectRange range, ByteBuffer buffer) throws IOException {
        int wanted = (int) Math.min(buffer.capacity(), range.last() + 1 - at);
        buffer.clear().limit(wanted);
        while (buffer.hasRemaining()) {
            if (input.read(at + buffer.position(), buffer) <= 0) {
                // A file version never changes: fewer bytes than it has are a failure, not its end.
                throw new EOFException("an object of %d bytes ended at %d"
                        .formatted(input.attributes().length(), at + buffer.position()));
            }
        }
    }
}
