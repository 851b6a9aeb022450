// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Precondition;
import io.packing.bdt.VectorResult;
import java.util.ArrayList;
import java.util.List;

/** The operations, preconditions and refusals of a vector, in words for people. */
final class VectorWords {
    private VectorWords() {}

    /** Why nothing of a vector happened. */
    static String refusal(OperationVector vector, VectorResult.Refused refused) {
        int number = refused.index() + 1;
        if (refused.kind() == VectorResult.Kind.PRECONDITION) {
            List<Precondition> all = vector.preconditions();
            String reason = reason(refused.reason());
            return "precondition %d of %d, that %s: %s; nothing has changed"
                    .formatted(number, all.size(), precondition(all.get(refused.index())), reason);
        }
        List<Operation> all = vector.operations();
        Operation failed = all.get(refused.index());
        String what = operation(failed);
        String reason = refused.reason() == Outcome.INVALID ? impossible(failed) : reason(refused.reason());
        return all.size() == 1
                ? "cannot %s: %s; nothing has changed".formatted(what, reason)
                : "operation %d of %d, %s: %s; nothing has changed".formatted(number, all.size(), what, reason);
    }

    /** Why the master refuses an operation whatever is in the mount, but for the lengths of files. */
    private static String impossible(Operation operation) {
        if (operation instanceof Operation.CloneRange clone) {
            return endsBefore(clone.source());
        }
        if (operation instanceof Operation.MoveRange move) {
            return endsBefore(move.source());
        }
        if (operation instanceof Operation.DeleteRange delete) {
            return "the file has no byte at offset %d".formatted(delete.range().offset());
        }
        if (operation instanceof Operation.CloneFile) {
            return "a file is no clone of itself; a range of it, with an offset and a length, may go elsewhere in it";
        }
        if (operation instanceof Operation.Delete) {
            return "the root is never deleted";
        }
        if (operation instanceof Operation.Rename rename
                && (rename.from().isRoot() || rename.to().isRoot())) {
            return "the root is never moved nor replaced";
        }
        if (operation instanceof Operation.CloneDirectory clone
                && !clone.source().contains(clone.destination())) {
            return "the list of snapshots is no tree: name one of them";
        }
        return "a tree would be in itself";
    }

    private static String endsBefore(ByteRange source) {
        return "the range ends behind the end of the file: %s has less than %d bytes"
                .formatted(source.path(), source.end());
    }

    private static String precondition(Precondition precondition) {
        return precondition instanceof Precondition.SameVersion same
                ? "%s is version %s".formatted(same.path(), same.version())
                : "nothing is at " + precondition.path();
    }

    /** Returns an operation in words, as an imperative. */
    static String operation(Operation operation) {
        if (operation instanceof Operation.CloneRange clone) {
            return "clone %s to offset %d of %s".formatted(range(clone.source()), clone.at(), clone.destination());
        }
        if (operation instanceof Operation.MoveRange move) {
            return "move %s to offset %d of %s".formatted(range(move.source()), move.at(), move.destination());
        }
        if (operation instanceof Operation.DeleteRange delete) {
            return "punch " + range(delete.range());
        }
        if (operation instanceof Operation.Truncate truncate) {
            return "truncate %s to %d bytes".formatted(truncate.path(), truncate.length());
        }
        if (operation instanceof Operation.CloneFile clone) {
            String change = change(clone.change());
            return "clone %s to %s".formatted(clone.source(), clone.destination())
                    + (change.isEmpty() ? "" : " with " + change);
        }
        if (operation instanceof Operation.CloneDirectory clone) {
            return "clone the directory %s to %s".formatted(clone.source(), clone.destination());
        }
        if (operation instanceof Operation.Rename rename) {
            return "move %s to %s".formatted(rename.from(), rename.to());
        }
        if (operation instanceof Operation.Link link) {
            return "give %s the name %s, too".formatted(link.file(), link.name());
        }
        if (operation instanceof Operation.MergeDirectory merge) {
            return "move all that is in %s into %s".formatted(merge.from(), merge.to());
        }
        if (operation instanceof Operation.MergeEachDirectory merge) {
            return "move all that is in the directories of %s into %s".formatted(merge.from(), merge.to());
        }
        if (operation instanceof Operation.CreateFile create) {
            return "create " + create.path();
        }
        if (operation instanceof Operation.Delete delete) {
            return "delete %s%s".formatted(delete.path(), delete.recursive() ? " and all below it" : "");
        }
        if (operation instanceof Operation.MakeDirectory make) {
            return "make the directory " + make.path();
        }
        if (operation instanceof Operation.SetAttributes set) {
            return "give %s %s".formatted(set.path(), change(set.change()));
        }
        return snapshot(operation);
    }

    private static String snapshot(Operation operation) {
        if (operation instanceof Operation.TakeSnapshot take) {
            return "take the snapshot %s of %s".formatted(take.name(), take.directory());
        }
        if (operation instanceof Operation.RenameSnapshot rename) {
            return "rename the snapshot %s of %s to %s".formatted(rename.from(), rename.directory(), rename.to());
        }
        if (operation instanceof Operation.DropSnapshot drop) {
            return "delete the snapshot %s of %s".formatted(drop.name(), drop.directory());
        }
        throw new IllegalArgumentException("no words for " + operation);
    }

    private static String range(ByteRange range) {
        return "%d bytes from offset %d of %s".formatted(range.length(), range.offset(), range.path());
    }

    private static String change(AttributeChange change) {
        List<String> parts = new ArrayList<>();
        change.owner().ifPresent(owner -> parts.add("owner " + owner));
        change.group().ifPresent(group -> parts.add("group " + group));
        change.mode().ifPresent(mode -> parts.add("mode %04o".formatted(mode)));
        change.mtimeMillis().ifPresent(millis -> parts.add("modification time %d ms".formatted(millis)));
        change.extra().extended().forEach(step -> parts.add("extended attribute " + step.name()));
        return String.join(", ", parts);
    }

    static String reason(Outcome outcome) {
        return switch (outcome) {
            case DONE -> "done";
            case NOT_FOUND -> "no such file or directory";
            case EXISTS -> "there is something already";
            case NO_PARENT -> "the directory above does not exist";
            case NOT_A_DIRECTORY -> "a file is where a directory must be";
            case IS_A_DIRECTORY -> "a directory is where a file must be";
            case NOT_EMPTY -> "the directory is not empty";
            case INVALID -> "it cannot be done";
            case CHANGED -> "another version is there";
            case UNKNOWN_CONTENT -> "no content has these bytes";
            case UNCOMMITTED -> "a file is not in the store yet, as its mount asks; repeat it when the file is closed";
            case DENIED -> "you may not";
            case NO_ATTRIBUTE -> "there is no such extended attribute";
            case NAMES_QUOTA -> "a directory would have more names than its quota";
            case BYTES_QUOTA -> "a directory would have more bytes than its quota";
            case NO_ROOM -> "the extended attributes of a file would be too large together";
        };
    }
}
