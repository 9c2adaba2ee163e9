// SPDX-License-Identifier: Apache-2.0
#include "server/build/executor/reapi/testing/farm_worker.h"

#include "server/build/executor/child.h"

#include <google/protobuf/util/time_util.h>
#include <grpcpp/grpcpp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

namespace placid::server {

namespace fs = std::filesystem;

namespace {

template <class Message> bool read(const FarmBlobs &blobs, const rx::Digest &digest, Message &out) {
  auto found = blobs.find(digest.hash());
  return found != blobs.end() && out.ParseFromString(found->second);
}

bool lay(const FarmBlobs &blobs, const rx::Digest &digest, const std::string &folder) {
  rx::Directory directory;
  if (!read(blobs, digest, directory)) {
    return false;
  }
  std::error_code error;
  fs::create_directories(folder, error);
  for (const rx::FileNode &file : directory.files()) {
    auto bytes = blobs.find(file.digest().hash());
    if (bytes == blobs.end()) {
      return false;
    }
    std::ofstream(folder + "/" + file.name(), std::ios::binary) << bytes->second;
  }
  for (const rx::DirectoryNode &below : directory.directories()) {
    if (!lay(blobs, below.digest(), folder + "/" + below.name())) {
      return false;
    }
  }
  return true;
}

void collect(const FarmBlobs &blobs, const rx::Digest &digest, std::set<std::string> &out) {
  rx::Directory directory;
  out.insert(digest.hash());
  if (!read(blobs, digest, directory)) {
    return;
  }
  for (const rx::FileNode &file : directory.files()) {
    out.insert(file.digest().hash());
  }
  for (const rx::DirectoryNode &below : directory.directories()) {
    collect(blobs, below.digest(), out);
  }
}

rx::Digest keep(const std::string &bytes, FarmBlobs &made) {
  rx::Digest digest;
  digest.set_hash(digestOf(bytes).hex);
  digest.set_size_bytes(static_cast<int64_t>(bytes.size()));
  made[digest.hash()] = bytes;
  return digest;
}

} // namespace

std::set<std::string> inputsOf(const rx::Digest &digest, const FarmBlobs &blobs) {
  std::set<std::string> out = {digest.hash()};
  rx::Action action;
  if (read(blobs, digest, action)) {
    out.insert(action.command_digest().hash());
    collect(blobs, action.input_root_digest(), out);
  }
  return out;
}

rx::ExecuteResponse runOnWorker(const rx::Digest &digest, const FarmBlobs &blobs, bool keepsTime,
                                const std::stop_token &stop, FarmBlobs &made) {
  rx::ExecuteResponse out;
  std::string folder = (fs::temp_directory_path() / "action-farm-XXXXXX").string();
  folder = ::mkdtemp(folder.data());
  rx::Action action;
  rx::Command command;
  if (!read(blobs, digest, action) || !read(blobs, action.command_digest(), command) ||
      !lay(blobs, action.input_root_digest(), folder)) {
    out.mutable_status()->set_code(grpc::StatusCode::NOT_FOUND);
    out.mutable_status()->set_message("an input is not there");
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    return out;
  }
  std::error_code error;
  ChildSpec spec;
  spec.argv.assign(command.arguments().begin(), command.arguments().end());
  spec.program = spec.argv.front();
  spec.folder = folder;
  for (const auto &variable : command.environment_variables()) {
    spec.env.push_back(variable.name() + "=" + variable.value());
  }
  for (const std::string &output : command.output_paths()) {
    fs::create_directories(fs::path(folder + "/" + output).parent_path(), error);
  }
  ActionLimits limits;
  limits.grace = std::chrono::milliseconds(50);
  if (keepsTime && action.has_timeout()) {
    limits.run = std::chrono::milliseconds(google::protobuf::util::TimeUtil::DurationToMilliseconds(action.timeout()));
  }
  ChildEnd end = runChild(spec, limits, {}, stop);
  rx::ActionResult &result = *out.mutable_result();
  result.set_exit_code(end.startError != 0 ? -1 : end.signal != 0 ? 128 + end.signal : end.exitCode);
  *result.mutable_stdout_digest() = keep(end.out.text(), made);
  *result.mutable_stderr_digest() = keep(end.err.text(), made);
  result.set_stdout_raw(end.out.text());
  result.set_stderr_raw(end.err.text());
  for (const std::string &output : command.output_paths()) {
    struct stat info{};
    std::string path = folder + "/" + output;
    if (::lstat(path.c_str(), &info) != 0) {
      continue;
    }
    if (S_ISLNK(info.st_mode)) {
      rx::OutputSymlink *link = result.add_output_symlinks();
      link->set_path(output);
      link->set_target(fs::read_symlink(path, error).string());
    } else if (S_ISREG(info.st_mode)) {
      std::ifstream file(path, std::ios::binary);
      std::string bytes(std::istreambuf_iterator<char>(file), {});
      rx::OutputFile *plain = result.add_output_files();
      plain->set_path(output);
      *plain->mutable_digest() = keep(bytes, made);
    }
  }
  if (end.stopped || end.cancelled) {
    out.mutable_status()->set_code(end.stopped ? grpc::StatusCode::DEADLINE_EXCEEDED : grpc::StatusCode::CANCELLED);
    out.mutable_status()->set_message(end.stopped ? "it ran too long" : "cancelled");
  }
  fs::remove_all(folder, error);
  return out;
}

} // namespace placid::server
