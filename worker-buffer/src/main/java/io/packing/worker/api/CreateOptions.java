package io.packing.worker.api;

/** How a file is created; the mtime is the time of its close. */
public record CreateOptions(String owner, String group, int mode, boolean createParents, boolean overwrite) {}
