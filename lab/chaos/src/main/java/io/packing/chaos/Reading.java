// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos;

import io.packing.chaos.client.ClientReply;
import io.packing.chaos.client.ClientRequest;
import io.packing.chaos.client.ClientRequest.Action;
import io.packing.chaos.client.DoorKind;
import io.packing.chaos.cluster.ClientThread;
import io.packing.chaos.model.Model;
import io.packing.chaos.model.Observation;
import io.packing.chaos.model.SeededContent;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Reads of files that lanes may change meanwhile, judged by the states that were possible during the read. */
final class Reading {
    private Reading() {}

    /** Reads a file or a part of it, and reports a violation. A read without an answer proves nothing. */
    static void once(Stage stage, ClientThread caller, DoorKind door, String path, RandomGenerator random)
            throws IOException, InterruptedException {
        Model model = stage.model();
        int moment = model.moment(path);
        List<SeededContent> contents = model.contents(path);
        ClientRequest request = random.nextInt(3) > 0
                ? ClientRequest.read(door, path, contents)
                : ClientRequest.readRange(door, path, contents, random.nextInt(20_000), random.nextInt(1, 20_000));
        ClientReply reply = caller.ask(request);
        stage.counts().add("reads");
        if (reply.outcome() == ClientReply.Outcome.ABSENT && model.moment(path) != moment) {
            // A read may fail with "absent" if the file was overwritten or moved meanwhile.
            return;
        }
        // Lanes may have written further contents since the request was made.
        List<SeededContent> written = model.contents(path);
        if (reply.isDone() && request.action() == Action.READ_RANGE && ambiguous(request, written)) {
            return;
        }
        Optional<Observation> meanwhile =
                reply.among(request, written).map(content -> Observation.file(content, Optional.empty()));
        meanwhile
                .or(() -> sight(reply, contents, Optional.empty()))
                .flatMap(sight -> model.observe(path, moment, sight))
                .ifPresent(stage.journal()::violation);
    }

    /** Returns whether a range reaches past the end of a version: then versions may look alike. */
    private static boolean ambiguous(ClientRequest request, List<SeededContent> contents) {
        return contents.stream().anyMatch(content -> content.length() < request.offset() + request.length());
    }

    /** Returns the sight of a read; empty if the read failed. */
    static Optional<Observation> sight(ClientReply reply, List<SeededContent> contents, Optional<Integer> mode) {
        return switch (reply.outcome()) {
            case DONE ->
                Optional.of(
                        reply.match() < 0
                                ? Observation.unreadable(reply.text())
                                : Observation.file(contents.get(reply.match()), mode));
            case ABSENT -> Optional.of(Observation.ABSENT);
            case LOST -> Optional.of(Observation.lost(reply.text()));
            case CORRUPT -> Optional.of(Observation.unreadable(reply.text()));
            default -> Optional.empty();
        };
    }
}
