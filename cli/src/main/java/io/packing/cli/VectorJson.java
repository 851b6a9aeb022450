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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Reads a vector from JSON; what it does not know is an illegal argument that names it. */
final class VectorJson {
    private VectorJson() {}

    static OperationVector read(JsonNode json) {
        checkFields("the vector", json, Set.of("preconditions", "operations"));
        List<Precondition> preconditions = new ArrayList<>();
        json.path("preconditions").forEach(each -> preconditions.add(precondition(each)));
        List<Operation> operations = new ArrayList<>();
        json.path("operations").forEach(each -> operations.add(operation(each)));
        return new OperationVector(preconditions, operations);
    }

    private static Precondition precondition(JsonNode json) {
        checkFields("a precondition", json, Set.of("path", "version", "absent"));
        FilePath path = path(json, "path");
        if (json.path("absent").asBoolean()) {
            return new Precondition.Absent(path);
        }
        String[] version = text(json, "version").split("@", -1);
        if (version.length != 2) {
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
            case "clone" -> clone(body);
            case "move" -> move(body);
            case "punch" -> {
                checkFields(kind, body, Set.of("path", "offset", "length"));
                yield new Operation.DeleteRange(range(body, path(body, "path")));
            }
            case "truncate" -> {
                checkFields(kind, body, Set.of("path", "length"));
                yield new Operation.Truncate(path(body, "path"), number(body, "length"));
            }
            case "rename" -> {
                checkFields(kind, body, Set.of("source", "destination", "overwrite"));
                yield new Operation.Rename(
                        path(body, "source"),
                        path(body, "destination"),
                        body.path("overwrite").asBoolean());
            }
            case "delete" -> {
                checkFields(kind, body, Set.of("path", "recursive"));
                yield new Operation.Delete(
                        path(body, "path"), body.path("recursive").asBoolean());
            }
            case "mkdir" -> {
                checkFields(kind, body, Set.of("path", "parents", "owner", "group", "mode"));
                yield new Operation.MakeDirectory(
                        path(body, "path"),
                        new DirectoryAttributes(
                                body.path("owner").asText(),
                                body.path("group").asText(),
                                mode(body).orElse(0755)),
                        body.path("parents").asBoolean());
            }
            case "attributes" -> {
                checkFields(kind, body, Set.of("path", "owner", "group", "mode"));
                yield new Operation.SetAttributes(
                        path(body, "path"),
                        new AttributeChange(optional(body, "owner"), optional(body, "group"), mode(body)));
            }
            default -> throw new IllegalArgumentException("unknown operation '%s'".formatted(kind));
        };
    }

    private static Operation clone(JsonNode body) {
        checkFields("clone", body, Set.of("source", "destination", "offset", "length", "at", "overwrite"));
        FilePath source = path(body, "source");
        FilePath destination = path(body, "destination");
        return body.has("offset")
                ? new Operation.CloneRange(
                        range(body, source), destination, body.path("at").asLong())
                : new Operation.CloneFile(
                        source, destination, body.path("overwrite").asBoolean(), AttributeChange.NONE);
    }

    private static Operation move(JsonNode body) {
        checkFields("move", body, Set.of("source", "destination", "offset", "length", "at"));
        return new Operation.MoveRange(
                range(body, path(body, "source")),
                path(body, "destination"),
                body.path("at").asLong());
    }

    private static ByteRange range(JsonNode json, FilePath path) {
        return new ByteRange(path, number(json, "offset"), number(json, "length"));
    }

    private static FilePath path(JsonNode json, String field) {
        return FilePath.normalise(text(json, field));
    }

    private static Optional<String> optional(JsonNode json, String field) {
        return json.has(field) ? Optional.of(text(json, field)) : Optional.empty();
    }

    private static OptionalInt mode(JsonNode json) {
        return json.has("mode") ? OptionalInt.of(Integer.parseInt(text(json, "mode"), 8)) : OptionalInt.empty();
    }

    private static String text(JsonNode json, String field) {
        if (!json.path(field).isTextual()) {
            throw new IllegalArgumentException("field '%s' must be a text: %s".formatted(field, json));
        }
        return json.get(field).asText();
    }

    private static long number(JsonNode json, String field) {
        if (!json.path(field).isIntegralNumber()) {
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
