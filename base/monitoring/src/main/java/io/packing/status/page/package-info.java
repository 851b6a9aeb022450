/**
 * The page of a daemon: what it tells of itself, the plots of the last hour, and the files that show them in a browser. The text
 * form is written here, without a library for JSON: these classes enter the processes of Alluxio too.
 */
@NullMarked
package io.packing.status.page;

import org.jspecify.annotations.NullMarked;
