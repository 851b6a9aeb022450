// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.bdt.DeniedException;
import io.packing.bdt.FileStatus;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.s3gateway.protocol.S3Code;
import io.packing.s3gateway.protocol.S3Exception;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Deletions of objects, and of the directories that have none after it: a directory without a key is nothing in S3. */
public final class ObjectDeletion {
    private final KeyPaths paths;

    public ObjectDeletion(KeyPaths paths) {
        this.paths = paths;
    }

    /** Deletes an object. A key without an object is no error. */
    public void delete(UserMount mount, String bucket, String key) throws IOException {
        FilePath directory = paths.bucket(bucket);
        FilePath path = paths.path(directory, key);
        Outcome outcome = remove(mount, path);
        if (outcome == Outcome.DONE) {
            prune(mount, path, directory);
        } else if (!MountBuckets.exists(mount, directory)) {
            throw S3Exception.noSuchBucket(bucket);
        }
    }

    private static Outcome remove(UserMount mount, FilePath path) throws IOException {
        Outcome outcome = mount.bdt().delete(path, false);
        if (outcome == Outcome.NOT_EMPTY) {
            // A directory has the path, and may have an object of this key.
            return mount.bdt().delete(KeyPaths.self(path), false);
        }
        return outcome;
    }

    /** Deletes the directories above a path that are empty, up to the bucket. */
    private static void prune(UserMount mount, FilePath path, FilePath bucket) throws IOException {
        FilePath up = path.parent().orElseThrow();
        while (!up.equals(bucket) && bucket.contains(up)) {
            try {
                if (mount.bdt().delete(up, false) != Outcome.DONE) {
                    return;
                }
            } catch (DeniedException | IllegalArgumentException e) {
                // The directory has a snapshot, or its owner keeps it: the object is gone all the same.
                return;
            }
            up = up.parent().orElseThrow();
        }
    }

    /** Deletes several objects; returns the failures by their keys. */
    public Map<String, S3Exception> deleteAll(UserMount mount, String bucket, List<String> keys) throws IOException {
        FilePath directory = paths.bucket(bucket);
        Map<String, S3Exception> failures = new LinkedHashMap<>();
        Map<String, FilePath> wanted = new LinkedHashMap<>();
        for (String key : keys) {
            try {
                wanted.put(key, paths.path(directory, key));
            } catch (S3Exception e) {
                failures.put(key, e);
            }
        }
        if (!deleteTogether(mount, directory, List.copyOf(wanted.values()))) {
            for (Map.Entry<String, FilePath> each : wanted.entrySet()) {
                try {
                    delete(mount, bucket, each.getKey());
                } catch (DeniedException e) {
                    failures.put(each.getKey(), new S3Exception(S3Code.ACCESS_DENIED, "access denied", e));
                } catch (S3Exception e) {
                    failures.put(each.getKey(), e);
                }
            }
        }
        return failures;
    }

    /** Deletes objects by one vector; returns false, and nothing is deleted, if one of them cannot be. */
    private static boolean deleteTogether(UserMount mount, FilePath bucket, List<FilePath> wanted) throws IOException {
        List<Operation> operations = new ArrayList<>();
        // The longest first: the lowest directories go before those above them.
        SortedSet<FilePath> parents = new TreeSet<>((one, other) -> {
            int byLength = Integer.compare(other.value().length(), one.value().length());
            return byLength != 0 ? byLength : one.compareTo(other);
        });
        for (int at = 0; at < wanted.size(); at += FoundEntry.MOST_PATHS) {
            List<FilePath> page = wanted.subList(at, Math.min(wanted.size(), at + FoundEntry.MOST_PATHS));
            for (FoundEntry found : mount.bdt().find(page)) {
                Optional<FileStatus> status = found.entry().map(ListedEntry::status);
                if (found.denied().isPresent()
                        || status.filter(FileStatus::isDirectory).isPresent()) {
                    return false;
                }
                if (status.isPresent()) {
                    operations.add(new Operation.Delete(status.get().path(), false));
                    parents.add(status.get().path().parent().orElseThrow());
                }
            }
        }
        if (operations.isEmpty()) {
            return MountBuckets.exists(mount, bucket);
        }
        try {
            if (mount.bdt().apply(new OperationVector(List.of(), operations)) instanceof VectorResult.Refused) {
                return false;
            }
        } catch (DeniedException | IllegalArgumentException e) {
            return false;
        }
        for (FilePath parent : parents) {
            prune(mount, parent.child(KeyPaths.MARK), bucket);
        }
        return true;
    }
}
