// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.client;

import io.packing.chaos.model.SeededContent;
import io.packing.cli.Main;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A master, a worker and a client in one process, which runs until their classes are loaded. An archive of these
 * classes cuts the start of the rounds' processes by a third. Arguments: a directory, a loopback port for the master,
 * and the options of a mount as {@code KEY=VALUE}.
 */
public final class ClassTraining {
    private static final int TRIES = 100;
    private static final long PAUSE_MILLIS = 100;

    private ClassTraining() {}

    public static void main(String[] arguments) throws InterruptedException, IOException {
        String directory = arguments[0];
        String master = "127.0.0.1:" + arguments[1];
        Map<String, String> options = new HashMap<>();
        List<String> worker = new ArrayList<>(
                List.of("worker", "--master", master, "--id", "w", "--buffer-dir", directory + "/w", "--port", "0"));
        for (String option : List.of(arguments).subList(2, arguments.length)) {
            String[] pair = option.split("=", 2);
            options.put(pair[0], pair[1]);
            worker.addAll(List.of("--option", option));
        }
        // Google's store takes none.
        Optional.ofNullable(System.getenv("PACKING_S3_ACCESS_KEY"))
                .ifPresent(key -> options.put("packing.s3.access.key", key));
        Optional.ofNullable(System.getenv("PACKING_S3_SECRET_KEY"))
                .ifPresent(key -> options.put("packing.s3.secret.key", key));
        options.put(Session.MASTER, master);
        String store = "%s@%s".formatted(options.get("packing.store"), options.get("packing.s3.endpoint"));
        start(List.of("bdt-master", "--bind", master, "--data-dir", directory + "/m", "--store", store));
        start(worker);
        Session session = new Session();
        for (int i = 0; i < TRIES; i++) {
            if (session.answer(ClientRequest.open(options)).isDone() && work(session)) {
                System.exit(0);
            }
            if (new CountDownLatch(1).await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the latch was counted down");
            }
        }
        System.exit(1);
    }

    private static void start(List<String> words) {
        Thread thread = new Thread(() -> Main.main(words.toArray(String[]::new)), words.get(0));
        thread.setDaemon(true);
        thread.start();
    }

    private static boolean work(Session session) {
        SeededContent content = new SeededContent(1, 1_000);
        boolean done = true;
        for (DoorKind door : DoorKind.values()) {
            String path = "/" + door;
            done &= session.answer(ClientRequest.create(door, path, content, 0644, true))
                    .isDone();
            done &= session.answer(ClientRequest.simple(ClientRequest.Action.FLUSH, door, "/", false))
                    .isDone();
            done &= session.answer(ClientRequest.read(door, path, List.of(content)))
                    .isDone();
            done &= session.answer(ClientRequest.simple(ClientRequest.Action.LIST, door, "/", false))
                    .isDone();
            done &= session.answer(ClientRequest.rename(door, path, path + "-moved"))
                    .isDone();
        }
        ClientRequest checkpoint = ClientRequest.simple(ClientRequest.Action.CHECKPOINT, DoorKind.WORKER, "/", false);
        return session.answer(checkpoint).isDone() && done;
    }
}
