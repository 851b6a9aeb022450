package io.packing.process.leash;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * The main class of every child: runs the real main class until its parent is gone.
 *
 * <p>The parent holds the other end of our standard input and never writes to it; the kernel closes it however the
 * parent dies, {@code kill -9} included. The first argument names the main class, the others are its own.
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
                // Nobody writes here; only the end of the stream means something.
            }
        } catch (IOException e) {
            // A broken pipe is the same news as its end.
        }
        // Not exit(): shutdown hooks would talk to servers that are going away as well, and could wait for them.
        Runtime.getRuntime().halt(ORPHANED);
    }
}
