// SPDX-License-Identifier: Apache-2.0
package io.packing.process.leash;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * The main class of every child. It runs the real main class until its parent has ended.
 *
 * <p>The parent holds the other end of the standard input and never writes to it. The kernel closes it however the
 * parent dies, even by {@code kill -9}. The first argument names the real main class, the others are its own.
 */
public final class Leash {
    private static final int ORPHANED = 75;

    private Leash() {}

    public static void main(String[] args) throws Throwable {
        Thread watcher = new Thread(Leash::exitWithParent, "leash");
        watcher.setDaemon(true);
        watcher.start();
        Method main = Class.forName(args[0]).getMethod("main", String[].class);
        try {
            main.invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static void exitWithParent() {
        try {
            while (System.in.read() >= 0) {
                // The parent never writes here; the end of the stream is the signal.
            }
        } catch (IOException e) {
            // A broken pipe means the end of the parent, too.
        }
        // exit() would run shutdown hooks, which could wait for servers that end as well.
        Runtime.getRuntime().halt(ORPHANED);
    }
}
