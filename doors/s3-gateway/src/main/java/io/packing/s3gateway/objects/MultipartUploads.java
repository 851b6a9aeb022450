// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Precondition;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.s3gateway.auth.ChecksumAlgorithm;
import io.packing.s3gateway.auth.ObjectBody;
import io.packing.s3gateway.auth.ObjectSums;
import io.packing.s3gateway.protocol.ObjectRange;
import io.packing.s3gateway.protocol.S3Code;
import io.packing.s3gateway.protocol.S3Exception;
import io.packing.s3gateway.protocol.Utf8Order;
import io.packing.worker.api.CreateOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Uploads of objects in parts. The parts are files among the scratch files of the mount. An upload ends when none of the user's uploads to the
 * bucket got a part for a day, or a week after its begin; an upload that no request ends costs no room for longer.
 */
public final class MultipartUploads {
    public static final int MOST_PARTS = 10_000;

    private static final Duration LONGEST = Duration.ofDays(7);
    /** Uploads that a new one looks at, to end old ones. */
    private static final int LOOKED_AT = 10;

    private static final int PAGE = 1_000;
    private static final int MOST_LISTED = 10_000;
    private static final int OWN = 0700;

    private final KeyPaths paths;
    private final WriteClock clock;

    public MultipartUploads(KeyPaths paths, WriteClock clock) {
        this.paths = paths;
        this.clock = clock;
    }

    /**
     * A part that was uploaded.
     *
     * @param number from 1 on
     */
    public record Part(int number, StoredObject info) {}

    /** Returns the directory of a user's uploads to a bucket. No user can list the directory above it. */
    private FilePath home(UserMount mount, String bucket) throws S3Exception {
        String owner = mount.user() + "\0" + paths.bucket(bucket);
        return FilePath.SCRATCH.child("s3." + digest(owner));
    }

    private static String digest(String text) {
        ChecksumAlgorithm.Sum sum = ChecksumAlgorithm.SHA256.begin();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        sum.update(bytes, 0, bytes.length);
        return HexFormat.of().formatHex(sum.value()).substring(0, 32);
    }

    /** Begins an upload. */
    public Upload create(
            UserMount mount,
            String bucket,
            String key,
            ObjectAttributes attributes,
            Optional<ChecksumAlgorithm> algorithm,
            boolean isFullObject)
            throws IOException {
        FilePath unused = paths.path(paths.bucket(bucket), key);
        if (!MountBuckets.exists(mount, paths.bucket(bucket))) {
            throw S3Exception.noSuchBucket(bucket);
        }
        FilePath home = home(mount, bucket);
        String id = UUID.randomUUID().toString().replace("-", "");
        Upload upload = new Upload(home, home.child(id), id, key, attributes, clock.millis(), algorithm, isFullObject);
        DirectoryAttributes own = new DirectoryAttributes(mount.user(), "", OWN);
        VectorResult result = mount.bdt()
                .apply(OperationVector.of(
                        new Operation.MakeDirectory(home, own, true),
                        new Operation.MakeDirectory(upload.directory(), own, false),
                        new Operation.SetAttributes(
                                upload.directory(),
                                AttributeChange.ofMtime(upload.beganMillis())
                                        .with(new RareAttributeChange(upload.steps(), 0, Optional.empty()))),
                        touch(home)));
        if (result instanceof VectorResult.Refused refused) {
            throw new S3Exception(
                    S3Code.SERVICE_UNAVAILABLE,
                    "the upload could not begin (%s); try again".formatted(refused.reason()));
        }
        endOld(mount, upload);
        return upload;
    }

    /** Keeps the master from taking the uploads for left ones. */
    private Operation touch(FilePath home) {
        return new Operation.SetAttributes(home, AttributeChange.ofMtime(clock.millis()));
    }

    /** Ends old uploads that no request has ended, among a few that lie behind the new one by chance. */
    private void endOld(UserMount mount, Upload upload) throws IOException {
        long oldest = clock.millis() - LONGEST.toMillis();
        for (FileStatus each :
                mount.bdt().list(upload.home(), upload.id(), LOOKED_AT).orElse(List.of())) {
            if (each.attributes().mtimeMillis() < oldest) {
                Outcome unused = mount.bdt().delete(each.path(), true);
            }
        }
    }

    /** Finds an upload that has not ended. */
    public Upload find(UserMount mount, String bucket, String key, String id) throws IOException {
        if (!id.matches("[0-9a-f]{32}")) {
            throw noSuchUpload();
        }
        FilePath home = home(mount, bucket);
        Optional<FileStatus> directory = mount.bdt().stat(home.child(id));
        if (directory.isEmpty()) {
            throw noSuchUpload();
        }
        return Upload.of(
                        home,
                        directory.get(),
                        mount.bdt().extended(home.child(id)).orElse(Map.of()))
                .filter(upload -> upload.key().equals(key))
                .orElseThrow(MultipartUploads::noSuchUpload);
    }

    static S3Exception noSuchUpload() {
        return new S3Exception(
                S3Code.NO_SUCH_UPLOAD, "there is no such upload: it was completed, aborted, or is too old");
    }

    /** Returns the user's uploads to a bucket, by key and begin. */
    public List<Upload> list(UserMount mount, String bucket) throws IOException {
        FilePath home = home(mount, bucket);
        List<Upload> uploads = new ArrayList<>();
        String after = "";
        for (boolean more = true; more && uploads.size() < MOST_LISTED; ) {
            List<FileStatus> page = mount.bdt().list(home, after, PAGE).orElse(List.of());
            for (FileStatus each : page) {
                Upload.of(home, each, mount.bdt().extended(each.path()).orElse(Map.of()))
                        .ifPresent(uploads::add);
            }
            more = page.size() == PAGE;
            after = page.isEmpty() ? "" : page.get(page.size() - 1).path().name();
        }
        uploads.sort(Comparator.comparing(Upload::key, Utf8Order.INSTANCE)
                .thenComparing(Upload::beganMillis)
                .thenComparing(Upload::id));
        return uploads;
    }

    /** Returns the parts of an upload behind a number. */
    public List<Part> parts(UserMount mount, Upload upload, int after, int most) throws IOException {
        List<UserMount.KeyedFile> files = new ArrayList<>();
        String last = "%05d".formatted(after);
        for (boolean more = true; more && files.size() < most; ) {
            List<FileStatus> page =
                    mount.bdt().list(upload.directory(), last, PAGE).orElse(List.of());
            page.stream()
                    .filter(each -> each.path().name().matches("[0-9]{5}"))
                    .forEach(each ->
                            files.add(new UserMount.KeyedFile(each.path().name(), each)));
            more = page.size() == PAGE;
            last = page.isEmpty() ? last : page.get(page.size() - 1).path().name();
        }
        return mount.infos(files.subList(0, Math.min(most, files.size()))).stream()
                .map(info -> new Part(Integer.parseInt(info.key()), info))
                .toList();
    }

    /** Takes a part; one of the number before is replaced. */
    public ObjectWriter.Written put(UserMount mount, String bucket, Upload upload, int number, ObjectBody body)
            throws IOException {
        FilePath file = upload.directory().child("new-" + UUID.randomUUID());
        // Without the directory the upload has ended, and must not come back.
        CreateOptions creation = mount.creation(paths.path(paths.bucket(bucket), upload.key()), OWN, false);
        ObjectSums sums;
        try {
            sums = ObjectWriter.write(mount, file, creation, body);
        } catch (NoSuchFileException e) {
            throw noSuchUpload();
        }
        String etag = sums.md5();
        SortedMap<String, String> headers = ObjectWriter.headers(sums);
        place(mount, upload, number, file, etag, body.length(), headers, List.of(), List.of());
        return new ObjectWriter.Written(etag, headers);
    }

    /** Takes bytes of an object as a part, as a clone; returns its ETag, which is none of their MD5. */
    public String copy(UserMount mount, Upload upload, int number, ObjectCopier.Source source, ObjectRange range)
            throws IOException {
        FilePath file = upload.directory().child("new-" + UUID.randomUUID());
        FilePath from = source.file().status().path();
        List<Operation> operations = new ArrayList<>(List.of(new Operation.CreateFile(file, owned(mount), false)));
        if (range.count() > 0) {
            operations.add(new Operation.CloneRange(new ByteRange(from, range.first(), range.count()), file, 0));
        }
        String etag = digest("%s %d %d".formatted(source.file().status().version(), range.first(), range.count()));
        place(
                mount,
                upload,
                number,
                file,
                etag,
                range.count(),
                new TreeMap<>(),
                List.of(source.unchanged()),
                operations);
        return etag;
    }

    private static AttributeChange owned(UserMount mount) {
        return new AttributeChange(Optional.of(mount.user()), Optional.empty(), OptionalInt.of(0644));
    }

    private void place(
            UserMount mount,
            Upload upload,
            int number,
            FilePath file,
            String etag,
            long length,
            SortedMap<String, String> sums,
            List<Precondition> preconditions,
            List<Operation> before)
            throws IOException {
        ObjectAttributes attributes = ObjectAttributes.NONE.withSums(sums).with(clock.mark(etag, length));
        List<Operation> operations = new ArrayList<>(before);
        operations.add(new Operation.SetAttributes(file, WriteClock.change(attributes, true)));
        operations.add(new Operation.Rename(file, upload.part(number), true));
        operations.add(touch(upload.home()));
        VectorResult result = mount.bdt().apply(new OperationVector(preconditions, operations));
        if (result instanceof VectorResult.Refused refused) {
            throw refused.kind() == VectorResult.Kind.PRECONDITION
                    ? new S3Exception(S3Code.CONDITIONAL_REQUEST_CONFLICT, "the source changed meanwhile; try again")
                    : noSuchUpload();
        }
    }

    /** Ends an upload without an object. */
    public void abort(UserMount mount, Upload upload) throws IOException {
        if (mount.bdt().delete(upload.directory(), true) != Outcome.DONE) {
            throw noSuchUpload();
        }
    }
}
