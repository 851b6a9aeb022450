// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Precondition;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.s3gateway.protocol.S3Code;
import io.packing.s3gateway.protocol.S3Exception;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The move of a scratch file to the path of its key, in one vector with other operations. Directories that the key needs are made in the same
 * vector. A file that lies where a directory is needed moves into that directory. Readers see the whole object, or the one before.
 */
final class ObjectPlacement {
    /** Attempts while other clients change the directories above the key. */
    private static final int ATTEMPTS = 16;

    private static final int DIRECTORY_MODE = 0755;
    private static final String HAS_SELF = ObjectAttributes.PREFIX + "self";

    private final UserMount mount;
    private final String bucket;
    private final FilePath directory;
    private final String key;
    private final FilePath path;
    private final WriteCondition condition;

    /**
     * Makes a placement.
     *
     * @param directory of the bucket
     * @param path of the key
     */
    ObjectPlacement(
            UserMount mount, String bucket, FilePath directory, String key, FilePath path, WriteCondition condition) {
        this.mount = mount;
        this.bucket = bucket;
        this.directory = directory;
        this.key = key;
        this.path = path;
        this.condition = condition;
    }

    /**
     * Operations around the move.
     *
     * @param preconditions of the vector
     * @param before operations that leave the object as a scratch file
     * @param scratch that file
     * @param after operations behind the move
     */
    record Move(List<Precondition> preconditions, List<Operation> before, FilePath scratch, List<Operation> after) {}

    /** A way to place the file. */
    private record Plan(List<Precondition> preconditions, List<Operation> operations, FilePath target) {}

    /** Refuses a write whose condition does not hold now; the vector checks again. */
    void check() throws IOException {
        Optional<Precondition> unused = conditionNow();
    }

    private Optional<Precondition> conditionNow() throws IOException {
        if (!condition.isAbsent() && condition.etag().isEmpty()) {
            return Optional.empty();
        }
        Optional<LocatedFile> there = mount.locate(path);
        if (condition.isAbsent()) {
            if (there.isPresent()) {
                throw failed("an object is at the key");
            }
            return Optional.empty();
        }
        LocatedFile file = there.orElseThrow(() -> S3Exception.noSuchKey(key));
        String wanted = condition.etag().orElseThrow();
        if (!wanted.equals("*") && !wanted.equals(mount.info(key, file).etag())) {
            throw failed("the object has another ETag");
        }
        return Optional.of(
                new Precondition.SameVersion(file.status().path(), file.status().version()));
    }

    static S3Exception failed(String why) {
        return new S3Exception(S3Code.PRECONDITION_FAILED, "the condition of the request does not hold: " + why);
    }

    /** Places the file. */
    void place(Move move) throws IOException {
        Plan plan = new Plan(List.of(), List.of(), path);
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            List<Precondition> preconditions = new ArrayList<>(move.preconditions());
            preconditions.addAll(plan.preconditions());
            conditionNow().ifPresent(preconditions::add);
            List<Operation> operations = new ArrayList<>(move.before());
            operations.addAll(plan.operations());
            int rename = operations.size();
            if (condition.isAbsent()) {
                preconditions.add(new Precondition.Absent(plan.target()));
            }
            // A rename that may replace something is as durable as a closed file: see Operation.givesBytes.
            operations.add(new Operation.Rename(move.scratch(), plan.target(), true));
            operations.addAll(move.after());
            VectorResult result = mount.bdt().apply(new OperationVector(preconditions, operations));
            if (!(result instanceof VectorResult.Refused refused)) {
                return;
            }
            checkRetry(move, refused, rename);
            plan = plan();
        }
        throw new S3Exception(
                S3Code.SLOW_DOWN, "other clients change the directories above the key again and again; try again");
    }

    /** Refuses a vector that would fail again. */
    private void checkRetry(Move move, VectorResult.Refused refused, int rename) throws IOException {
        if (refused.kind() == VectorResult.Kind.PRECONDITION) {
            if (refused.index() < move.preconditions().size()) {
                throw new S3Exception(
                        S3Code.CONDITIONAL_REQUEST_CONFLICT, "the source of the object changed meanwhile; try again");
            }
            return;
        }
        boolean isElsewhere = refused.index() < move.before().size() || refused.index() > rename;
        if (isElsewhere || refused.reason() == Outcome.UNCOMMITTED) {
            throw new S3Exception(
                    S3Code.SERVICE_UNAVAILABLE,
                    "the mount could not make the object now (%s); try again".formatted(refused.reason()));
        }
    }

    /** Looks at the entries above the key. */
    private Plan plan() throws IOException {
        FileStatus nearest = mount.bdt().nearestToCreate(path);
        if (!directory.contains(nearest.path())) {
            throw S3Exception.noSuchBucket(bucket);
        }
        if (nearest.path().equals(path)) {
            if (!nearest.isDirectory()) {
                return new Plan(List.of(), List.of(), path);
            }
            return new Plan(List.of(), List.of(hasSelf(path)), KeyPaths.self(path));
        }
        List<Precondition> preconditions = new ArrayList<>();
        List<Operation> operations = new ArrayList<>();
        if (!nearest.isDirectory()) {
            if (nearest.path().equals(directory)) {
                throw S3Exception.noSuchBucket(bucket);
            }
            preconditions.add(new Precondition.SameVersion(nearest.path(), nearest.version()));
            FilePath aside = scratch();
            operations.add(new Operation.Rename(nearest.path(), aside, false));
            operations.add(made(nearest.path()));
            operations.add(new Operation.Rename(aside, KeyPaths.self(nearest.path()), false));
            operations.add(hasSelf(nearest.path()));
        }
        List<Operation> missing = new ArrayList<>();
        for (FilePath up = path.parent().orElseThrow();
                !up.equals(nearest.path());
                up = up.parent().orElseThrow()) {
            missing.add(0, made(up));
        }
        operations.addAll(missing);
        return new Plan(preconditions, operations, path);
    }

    /** Returns the path of a new scratch file. The master deletes it after a day, unless it moves before. */
    static FilePath scratch() {
        return FilePath.SCRATCH.child(UUID.randomUUID().toString());
    }

    private Operation made(FilePath missing) {
        return new Operation.MakeDirectory(missing, new DirectoryAttributes(mount.user(), "", DIRECTORY_MODE), false);
    }

    /** Returns the mark of a directory in which a listing looks for an object of its key. */
    private static Operation hasSelf(FilePath directory) {
        return new Operation.SetAttributes(
                directory,
                AttributeChange.ofExtended(ExtendedChange.put(HAS_SELF, new ExtendedValue(new byte[] {'1'}))));
    }
}
