// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Precondition;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.EqualBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** Reads a vector from JSON; what it does not know is an illegal argument that names it. */
final class VectorJson {
    private static final int MODE_DIGITS = 5;

    private VectorJson() {}

    /** A vector, and what the client compares before. */
    record Read(OperationVector vector, List<EqualBytes> equal) {}

    static Read read(JsonNode json) {
        checkFields("the vector", json, Set.of("preconditions", "operations"));
        List<Precondition> preconditions = new ArrayList<>();
        List<EqualBytes> equal = new ArrayList<>();
        for (JsonNode each : list(json, "preconditions")) {
            if (each.has("equal")) {
                checkFields("a precondition of equal bytes", each, Set.of("equal"));
                equal.add(equal(each.get("equal")));
            } else {
                preconditions.add(precondition(each));
            }
        }
        List<Operation> operations = new ArrayList<>();
        list(json, "operations").forEach(each -> operations.add(operation(each)));
        return new Read(new OperationVector(preconditions, operations), equal);
    }

    private static EqualBytes equal(JsonNode json) {
        checkFields("equal", json, Set.of("source", "destination", "offset", "length", "at"));
        ByteRange source = range(json, path(json, "source"));
        long at = json.has("at") ? number(json, "at") : 0;
        return new EqualBytes(source, new ByteRange(path(json, "destination"), at, source.length()));
    }

    private static Precondition precondition(JsonNode json) {
        checkFields("a precondition", json, Set.of("path", "version", "absent"));
        FilePath path = path(json, "path");
        if (flag(json, "absent")) {
            return new Precondition.Absent(path);
        }
        String[] version = text(json, "version").split("@", -1);
        if (version.length != 2 || !isNumber(version[0], 10) || !isNumber(version[1], 10)) {
            throw new IllegalArgumentException(
                    "version '%s': want id@generation, as bdt stat prints it".formatted(text(json, "version")));
        }
        return new Precondition.SameVersion(
                path, new FileVersion(Long.parseLong(version[0]), Long.parseLong(version[1])));
    }

    private static Operation operation(JsonNode json) {
        if (!json.isObject() || json.size() != 1) {
            throw new IllegalArgumentException("an operation is an object with one field, its kind: " + json);
        }
        String kind = json.fieldNames().next();
        JsonNode body = json.get(kind);
        return switch (kind) {
            case "clone" ->
                transfer(
                        kind,
                        body,
                        Operation.CloneRange::new,
                        (from, to, overwrite) -> new Operation.CloneFile(from, to, overwrite, AttributeChange.NONE));
            case "cloneDirectory" -> {
                checkFields(kind, body, Set.of("source", "destination"));
                yield new Operation.CloneDirectory(path(body, "source"), path(body, "destination"));
            }
            case "move" -> transfer(kind, body, Operation.MoveRange::new, Operation.Rename::new);
            case "punch" -> {
                checkFields(kind, body, Set.of("path", "offset", "length"));
                yield new Operation.DeleteRange(range(body, path(body, "path")));
            }
            case "truncate" -> {
                checkFields(kind, body, Set.of("path", "length"));
                yield new Operation.Truncate(path(body, "path"), number(body, "length"));
            }
            case "create" -> {
                checkFields(kind, body, Set.of("path", "owner", "group", "mode", "mtime", "overwrite"));
                yield new Operation.CreateFile(path(body, "path"), attributes(body), flag(body, "overwrite"));
            }
            case "merge" -> {
                checkFields(kind, body, Set.of("source", "destination"));
                yield new Operation.MergeDirectory(path(body, "source"), path(body, "destination"));
            }
            case "mergeEach" -> {
                checkFields(kind, body, Set.of("source", "destination", "except"));
                yield new Operation.MergeEachDirectory(
                        path(body, "source"), optional(body, "except"), path(body, "destination"));
            }
            case "rename" -> {
                checkFields(kind, body, Set.of("source", "destination", "overwrite"));
                yield new Operation.Rename(path(body, "source"), path(body, "destination"), flag(body, "overwrite"));
            }
            case "link" -> {
                checkFields(kind, body, Set.of("source", "destination"));
                yield new Operation.Link(path(body, "source"), path(body, "destination"));
            }
            case "delete" -> {
                checkFields(kind, body, Set.of("path", "recursive"));
                yield new Operation.Delete(path(body, "path"), flag(body, "recursive"));
            }
            case "mkdir" -> {
                checkFields(kind, body, Set.of("path", "parents", "owner", "group", "mode"));
                yield new Operation.MakeDirectory(
                        path(body, "path"),
                        new DirectoryAttributes(
                                optional(body, "owner").orElse(""),
                                optional(body, "group").orElse(""),
                                mode(body).orElse(0755)),
                        flag(body, "parents"));
            }
            case "attributes" -> {
                checkFields(kind, body, Set.of("path", "owner", "group", "mode", "mtime"));
                yield new Operation.SetAttributes(path(body, "path"), attributes(body));
            }
            default -> snapshot(kind, body);
        };
    }

    private static AttributeChange attributes(JsonNode body) {
        OptionalLong mtime = body.has("mtime") ? OptionalLong.of(number(body, "mtime")) : OptionalLong.empty();
        return new AttributeChange(optional(body, "owner"), optional(body, "group"), mode(body), mtime);
    }

    private static Operation snapshot(String kind, JsonNode body) {
        return switch (kind) {
            case "snapshotRename" -> {
                checkFields(kind, body, Set.of("path", "name", "newName"));
                yield new Operation.RenameSnapshot(path(body, "path"), text(body, "name"), text(body, "newName"));
            }
            case "snapshot" -> {
                checkFields(kind, body, Set.of("path", "name"));
                yield new Operation.TakeSnapshot(path(body, "path"), text(body, "name"));
            }
            case "snapshotDelete" -> {
                checkFields(kind, body, Set.of("path", "name"));
                yield new Operation.DropSnapshot(path(body, "path"), text(body, "name"));
            }
            default -> throw new IllegalArgumentException("unknown operation '%s'".formatted(kind));
        };
    }

    private static Operation transfer(
            String kind, JsonNode body, TransferArguments.OfRange ofRange, TransferArguments.OfFile ofFile) {
        checkFields(kind, body, Set.of("source", "destination", "offset", "length", "at", "overwrite"));
        FilePath source = path(body, "source");
        FilePath destination = path(body, "destination");
        // One field of a range is enough to ask for the others.
        if (!body.has("offset") && !body.has("length") && !body.has("at")) {
            return ofFile.of(source, destination, flag(body, "overwrite"));
        }
        if (body.has("overwrite")) {
            throw new IllegalArgumentException("field 'overwrite' is for whole files: " + body);
        }
        return ofRange.of(range(body, source), destination, body.has("at") ? number(body, "at") : 0);
    }

    private static ByteRange range(JsonNode json, FilePath path) {
        return new ByteRange(path, number(json, "offset"), number(json, "length"));
    }

    private static FilePath path(JsonNode json, String field) {
        return MountPath.of(text(json, field));
    }

    private static Optional<String> optional(JsonNode json, String field) {
        return json.has(field) ? Optional.of(text(json, field)) : Optional.empty();
    }

    private static OptionalInt mode(JsonNode json) {
        if (!json.has("mode")) {
            return OptionalInt.empty();
        }
        String mode = text(json, "mode");
        if (!isNumber(mode, 8) || mode.length() > MODE_DIGITS) {
            throw new IllegalArgumentException("mode '%s': want an octal number such as 0755".formatted(mode));
        }
        return OptionalInt.of(Integer.parseInt(mode, 8));
    }

    /** Returns whether a text is a number that fits a {@code long}, without a sign. */
    private static boolean isNumber(String text, int radix) {
        try {
            return text.chars().allMatch(c -> Character.digit(c, radix) >= 0) && Long.parseLong(text, radix) >= 0;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static boolean flag(JsonNode json, String field) {
        if (!json.has(field)) {
            return false;
        }
        if (!json.get(field).isBoolean()) {
            throw new IllegalArgumentException("field '%s' must be true or false: %s".formatted(field, json));
        }
        return json.get(field).asBoolean();
    }

    private static JsonNode list(JsonNode json, String field) {
        JsonNode list = json.path(field);
        if (!list.isMissingNode() && !list.isArray()) {
            throw new IllegalArgumentException("field '%s' must be a list: %s".formatted(field, json));
        }
        return list;
    }

    private static String text(JsonNode json, String field) {
        if (!json.path(field).isTextual()) {
            throw new IllegalArgumentException("field '%s' must be a text: %s".formatted(field, json));
        }
        return json.get(field).asText();
    }

    private static long number(JsonNode json, String field) {
        if (!json.path(field).isIntegralNumber() || !json.path(field).canConvertToLong()) {
            throw new IllegalArgumentException("field '%s' must be a whole number: %s".formatted(field, json));
        }
        return json.get(field).asLong();
    }

    private static void checkFields(String what, JsonNode json, Set<String> known) {
        if (!json.isObject()) {
            throw new IllegalArgumentException("%s must be a JSON object: %s".formatted(what, json));
        }
        json.fieldNames().forEachRemaining(field -> {
            if (!known.contains(field)) {
                throw new IllegalArgumentException("%s has no field '%s'; it has %s"
                        .formatted(what, field, known.stream().sorted().toList()));
            }
        });
    }
}
