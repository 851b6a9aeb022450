// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Applies operations of a file together, or none of them. */
@Command(
        name = "vector",
        description = {
            "Applies all operations of a JSON file, or none of them: readers never see a part, and no crash leaves one.",
            "The file: {\"preconditions\": [{\"path\": \"/a\", \"version\": \"12@34\"}, {\"path\": \"/b\", \"absent\": true}], "
                    + "\"operations\": [{\"clone\": {\"source\": \"/a\", \"destination\": \"/b\"}}, ...]}.",
            "Preconditions: a file's version as packing stat prints it, absence, and equal bytes: {\"equal\": {\"source\": \"/a\", "
                    + "\"offset\": 0, \"length\": 4096, \"destination\": \"/b\", \"at\": 0}}, which this command reads.",
            "Operations of bytes: clone and move (source, destination, overwrite; of a range offset, length, at), punch (path, "
                    + "offset, length), truncate (path, length).",
            "Operations of names: create (path, overwrite; owner, group, mode, mtime), cloneDirectory and link (source, destination), rename "
                    + "(source, destination, overwrite), delete (path, recursive), mkdir (path, parents; owner, group, mode).",
            "merge (source, destination) moves all entries of one directory into another. mergeEach (source, destination, except) does so "
                    + "with each directory in the source.",
            "attributes (path; owner, group, mode, mtime) changes attributes. Times are milliseconds since 1970.",
            "Operations of snapshots: snapshot and snapshotDelete (path, name), snapshotRename (path, name, newName)."
        })
final class VectorCommand implements Callable<Integer> {
    /** The reader that refuses text behind the vector. */
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    @Mixin
    private VectorTarget target = new VectorTarget();

    @Parameters(
            paramLabel = "[MOUNT] FILE",
            arity = "1..2",
            hideParamSyntax = true,
            description = "The mount, as " + MountUri.FORM + "; then the operations; - for standard input.")
    private List<String> words = List.of();

    @Override
    public Integer call() throws IOException {
        String file = target.mount().operands(words, 1, "FILE").get(0);
        JsonNode json;
        try (InputStream in = file.equals("-") ? System.in : Files.newInputStream(Path.of(file))) {
            json = JSON.readTree(in);
        } catch (JsonProcessingException e) {
            JsonLocation at = e.getLocation();
            throw new IllegalArgumentException(
                    "%s: no JSON: %s (line %d)"
                            .formatted(file, e.getOriginalMessage(), at == null ? 0 : at.getLineNr()),
                    e);
        }
        VectorJson.Read read = VectorJson.read(json);
        return target.apply(read.vector(), read.equal());
    }
}
