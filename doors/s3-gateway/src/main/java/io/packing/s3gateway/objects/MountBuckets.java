// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.s3gateway.protocol.S3Code;
import io.packing.s3gateway.protocol.S3Exception;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The buckets of a mount: the directories of its base that have names of buckets. */
public final class MountBuckets {
    private static final int PAGE = 1_000;
    private static final int MODE = 0755;

    private final KeyPaths paths;

    public MountBuckets(KeyPaths paths) {
        this.paths = paths;
    }

    /** Returns all buckets, by name. */
    public List<FileStatus> list(UserMount mount) throws IOException {
        List<FileStatus> buckets = new ArrayList<>();
        String after = "";
        for (boolean more = true; more; ) {
            List<FileStatus> page = mount.bdt().list(paths.base(), after, PAGE).orElse(List.of());
            page.stream()
                    .filter(each -> each.isDirectory()
                            && KeyPaths.isBucketName(each.path().name()))
                    .forEach(buckets::add);
            more = page.size() == PAGE;
            after = page.isEmpty() ? "" : page.get(page.size() - 1).path().name();
        }
        return buckets;
    }

    /** Makes a bucket. */
    public void create(UserMount mount, String bucket) throws IOException {
        FilePath directory = paths.bucket(bucket);
        DirectoryAttributes attributes = new DirectoryAttributes(mount.user(), "", MODE);
        Outcome outcome = mount.bdt().mkdir(directory, attributes, true);
        if (outcome == Outcome.DONE) {
            return;
        }
        Optional<FileStatus> there = mount.bdt().stat(directory);
        boolean isOwn = there.isPresent()
                && there.get().isDirectory()
                && there.get().attributes().owner().equals(mount.user());
        throw isOwn
                ? new S3Exception(
                        S3Code.BUCKET_ALREADY_OWNED_BY_YOU, "the bucket %s is yours already".formatted(bucket))
                : new S3Exception(S3Code.BUCKET_ALREADY_EXISTS, "the name %s is taken (%s)".formatted(bucket, outcome));
    }

    /** Refuses a bucket that does not exist. */
    public void check(UserMount mount, String bucket) throws IOException {
        if (!exists(mount, paths.bucket(bucket))) {
            throw S3Exception.noSuchBucket(bucket);
        }
    }

    static boolean exists(UserMount mount, FilePath directory) throws IOException {
        return mount.bdt().stat(directory).filter(FileStatus::isDirectory).isPresent();
    }

    /** Deletes a bucket without keys, with the empty directories in it. */
    public void delete(UserMount mount, String bucket) throws IOException {
        FilePath directory = paths.bucket(bucket);
        Outcome outcome = mount.bdt().delete(directory, false);
        if (outcome == Outcome.NOT_EMPTY && !ObjectListing.hasKeys(mount, directory)) {
            outcome = deleteDirectories(mount, directory);
        }
        switch (outcome) {
            case DONE -> {}
            case NOT_FOUND, NO_PARENT, NOT_A_DIRECTORY -> throw S3Exception.noSuchBucket(bucket);
            case NOT_EMPTY -> throw new S3Exception(S3Code.BUCKET_NOT_EMPTY, "the bucket has objects");
            default -> throw new S3Exception(S3Code.INTERNAL_ERROR, "the bucket was not deleted: " + outcome);
        }
    }

    /** Deletes a tree of directories if it has no file: each of them only if it is empty then. */
    private static Outcome deleteDirectories(UserMount mount, FilePath top) throws IOException {
        List<Operation> operations = new ArrayList<>();
        collect(mount, top, operations);
        if (operations.size() > OperationVector.MAX_OPERATIONS) {
            return Outcome.NOT_EMPTY;
        }
        VectorResult result = mount.bdt().apply(new OperationVector(List.of(), operations));
        return result instanceof VectorResult.Refused refused ? refused.reason() : Outcome.DONE;
    }

    /** Adds deletions of directories, the lowest first. */
    private static void collect(UserMount mount, FilePath directory, List<Operation> operations) throws IOException {
        String after = "";
        for (boolean more = true; more; ) {
            List<FileStatus> page = mount.bdt().list(directory, after, PAGE).orElse(List.of());
            for (FileStatus each : page) {
                if (each.isDirectory()) {
                    collect(mount, each.path(), operations);
                }
            }
            more = page.size() == PAGE;
            after = page.isEmpty() ? "" : page.get(page.size() - 1).path().name();
        }
        operations.add(new Operation.Delete(directory, false));
    }
}
